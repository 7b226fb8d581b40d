// SPDX-License-Identifier: Apache-2.0
#include "doeblin/issuing/reproduction.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/certificate/sha256.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/issuing/issue.hpp"

namespace doeblin::certificate {
namespace {

constexpr std::size_t kMostPeople = 20'000'000;

bool is_same(double x, double y) {
  return x == y || std::fabs(x - y) <= kReproducible * std::max(std::fabs(x), std::fabs(y));
}

class Comparison {
 public:
  Comparison(const Certificate& certificate, const pipeline::Pipeline& pipeline)
      : certificate_(certificate), pipeline_(pipeline) {}

  std::vector<std::string> run() {
    compare_claims();
    compare_curve();
    compare_people();
    compare_derivation();
    compare_inputs();
    const bool has_details = certificate_.kind == Kind::kTraining || certificate_.kind == Kind::kRelease;
    if (!has_details && !certificate_.details.empty()) add("there are details of a run that was not made");
    if (certificate_.relation != pipeline_.relation())
      add(fmt::format("the relation is {}, not {}", doeblin::name(pipeline_.relation()),
                      doeblin::name(certificate_.relation)));
    if (const std::string whose = whose_data(pipeline_.neighbours()); whose != whose_data(certificate_))
      add(fmt::format("it is about {}, not {}", whose, whose_data(certificate_)));
    return std::move(found_);
  }

 private:
  void add(std::string difference) { found_.push_back(std::move(difference)); }

  // A lower end may be given away.
  void compare(const std::string& what, const Bracket& claimed, const Bracket& computed) {
    if (!is_same(claimed.upper(), computed.upper()))
      add(fmt::format("{}: the upper end is {}, not {}", what, format_exact(computed.upper()),
                      format_exact(claimed.upper())));
    if (claimed.lower() > 0.0 && !is_same(claimed.lower(), computed.lower()))
      add(fmt::format("{}: the lower end is {}, not {}", what, format_exact(computed.lower()),
                      format_exact(claimed.lower())));
  }

  [[nodiscard]] Bracket answer(const Claim& claim) const {
    const Profile& profile = pipeline_.mechanism().profile();
    if (!claim.is_epsilon) return profile.delta(Epsilon(claim.at));
    if (claim.at > 0.0) return profile.epsilon(Delta(claim.at));
    // At delta = 0 the claim is about the largest loss: nothing is left at the upper end, something below the lower.
    const double upper =
        profile.delta(Epsilon(claim.value.upper())).upper() == 0.0 ? claim.value.upper() : rounding::kInfinity;
    const double below = claim.value.lower() * (1.0 - kReproducible);
    return {profile.delta(Epsilon(below)).lower() > 0.0 ? std::min(claim.value.lower(), upper) : 0.0, upper};
  }

  void compare_claims() {
    if (certificate_.claims.empty()) add("nothing is claimed");
    for (const Claim& claim : certificate_.claims)
      compare(fmt::format("{} at {}", claim.is_epsilon ? "epsilon" : "delta", format_exact(claim.at)), claim.value,
              answer(claim));
  }

  void compare_curve() {
    const bool is_costly = pipeline_.mechanism().profile().traits().costly;
    const std::vector<double> epsilons = curve_epsilons(certificate_.claims, is_costly);
    bool is_complete = epsilons.size() == certificate_.curve.size();
    for (std::size_t i = 0; i < epsilons.size() && is_complete; ++i)
      is_complete = is_same(epsilons[i], certificate_.curve[i].epsilon);
    if (!is_complete) add("the curve is evaluated at other places");
    for (const CurvePoint& point : certificate_.curve)
      compare(fmt::format("delta at {}", format_exact(point.epsilon)), point.delta,
              pipeline_.delta(Epsilon(point.epsilon)));
  }

  void compare_people() {
    const auto people = pipeline_.mechanism().people();
    if (!certificate_.people) {
      if (certificate_.kind == Kind::kPeople) add("nothing is said about the people");
      return;
    }
    if (certificate_.kind != Kind::kPeople && certificate_.kind != Kind::kTraining)
      add("people are spoken of, in a certificate that is not about them");
    if (!people) return add("there are no people with guarantees of their own");
    if (people->count() > kMostPeople) return add("there are more people than a certificate is written for");
    const PeopleClaim& claimed = *certificate_.people;
    const auto quiet = [](std::size_t) {};
    const std::vector<ForRecords> values =
        claimed.is_epsilon ? people->epsilons(Delta(claimed.at), quiet) : people->deltas(Epsilon(claimed.at), quiet);
    const PeopleClaim computed = people_claim(claimed.is_epsilon, claimed.at, values);
    if (claimed.count != computed.count || claimed.points.size() != computed.points.size())
      return add("there are other people than those listed");
    if (!is_same(claimed.median, computed.median))
      add(fmt::format("the median is {}, not {}", format_exact(computed.median), format_exact(claimed.median)));
    // Equal to the last digits, the worst of two people may be either.
    if (!is_same(claimed.worst.value.upper(), computed.worst.value.upper())) add("somebody else is the worst");
    if (!is_same(claimed.best.value.upper(), computed.best.value.upper())) add("somebody else is the best");
    compare_extreme(claimed.worst, computed.worst, values);
    compare_extreme(claimed.best, computed.best, values);
    for (std::size_t i = 0; i < claimed.points.size(); ++i) {
      if (claimed.points[i].record != computed.points[i].record) return add("other people are listed");
      compare_person(claimed.points[i], values);
    }
  }

  // Of people who are exactly alike the same one is always named.
  void compare_extreme(const PersonPoint& claimed, const PersonPoint& computed, const std::vector<ForRecords>& values) {
    compare_person(claimed, values);
    if (claimed.record != computed.record && claimed.value == computed.value)
      add(fmt::format("record {} is meant, not {}", computed.record, claimed.record));
  }

  void compare_person(const PersonPoint& claimed, const std::vector<ForRecords>& values) {
    const auto found = std::lower_bound(values.begin(), values.end(), claimed.record,
                                        [](const ForRecords& one, std::size_t record) { return one.last < record; });
    if (found == values.end() || claimed.record < found->first)
      return add(fmt::format("there is no record {}", claimed.record));
    compare(fmt::format("record {}", claimed.record), claimed.value, found->value);
  }

  void compare_derivation() {
    const auto& steps = pipeline_.steps();
    if (steps.size() != certificate_.derivation.size()) return add("the derivation has another number of steps");
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const Step& computed = steps[i].step;
      const Step& claimed = certificate_.derivation[i];
      if (computed.stage != claimed.stage || computed.source != claimed.source ||
          computed.statement != claimed.statement)
        add(fmt::format("step {} of the derivation reads otherwise: {} [{}] {}", i + 1, computed.stage, computed.source,
                        computed.statement));
      bool is_equal = computed.assumptions.size() == claimed.assumptions.size();
      for (std::size_t k = 0; is_equal && k < computed.assumptions.size(); ++k)
        is_equal = computed.assumptions[k].text == claimed.assumptions[k].text &&
                   computed.assumptions[k].checked == claimed.assumptions[k].checked;
      if (!is_equal) add(fmt::format("step {} of the derivation rests on other assumptions", i + 1));
    }
  }

  void compare_inputs() {
    const std::vector<Input> inputs = inputs_of(certificate_.program);
    if (inputs.size() != certificate_.inputs.size()) return add("other files are named than are used");
    for (std::size_t i = 0; i < inputs.size(); ++i)
      if (inputs[i] != certificate_.inputs[i])
        add(fmt::format("the file {} is another one than was certified", printable_path(certificate_.inputs[i].path)));
  }

  const Certificate& certificate_;
  const pipeline::Pipeline& pipeline_;
  std::vector<std::string> found_;
};

}  // namespace

std::vector<std::string> differences(const Certificate& certificate, const pipeline::Pipeline& pipeline) {
  return Comparison(certificate, pipeline).run();
}

}  // namespace doeblin::certificate
