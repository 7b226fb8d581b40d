// SPDX-License-Identifier: Apache-2.0
#include "doeblin/verify/verify.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/words.hpp"
#include "verify/programs.hpp"
#include "verify/subjects.hpp"

namespace doeblin::verify {
namespace {

using certificate::Certificate;

// How hard it is tried, one after another until everything is settled. What nothing proves may be refuted: compositions
// are bounded from below alone then.
struct Attempt {
  long bits;
  int effort;
  bool is_from_below = false;
};
constexpr Attempt kAttempts[] = {{192, 0}, {512, 2}, {1024, 3}, {1024, 4}, {1024, 6}, {1024, 8}, {1024, 4, true}};

// A point that the profile has to pass below: delta(epsilon) <= delta, and above: delta(least_epsilon) >= least_delta.
struct Statement {
  std::string text;
  double record;  ///< 0 for everybody
  bool is_of_epsilon;
  double epsilon;
  double delta;
  double least_epsilon;
  double least_delta;
  std::string too_small = {};  ///< what to say of the number when it is
  std::string too_large = {};
};

std::string of_record(double record) {
  return record == 0.0 ? "" : fmt::format(", record {}", static_cast<std::size_t>(record));
}

Statement epsilon_statement(double delta, const Bracket& epsilon, double record = 0.0) {
  return {.text = fmt::format("{} <= epsilon <= {} at delta = {}{}", format_exact(epsilon.lower()),
                              format_exact(epsilon.upper()), format_exact(delta), of_record(record)),
          .record = record,
          .is_of_epsilon = true,
          .epsilon = epsilon.upper(),
          .delta = delta,
          .least_epsilon = epsilon.lower(),
          .least_delta = delta,
          .too_small = fmt::format("epsilon = {} is too small", format_exact(epsilon.upper())),
          .too_large = fmt::format("epsilon = {} is not reached", format_exact(epsilon.lower()))};
}

Statement delta_statement(double epsilon, const Bracket& delta, double record = 0.0) {
  return {.text = fmt::format("{} <= delta <= {} at epsilon = {}{}", format_exact(delta.lower()),
                              format_exact(delta.upper()), format_exact(epsilon), of_record(record)),
          .record = record,
          .is_of_epsilon = false,
          .epsilon = epsilon,
          .delta = delta.upper(),
          .least_epsilon = epsilon,
          .least_delta = delta.lower(),
          .too_small = fmt::format("delta = {} is too small", format_exact(delta.upper())),
          .too_large = fmt::format("delta = {} is not reached", format_exact(delta.lower()))};
}

Statement statement_of(bool is_epsilon, double at, const Bracket& value, double record = 0.0) {
  return is_epsilon ? epsilon_statement(at, value, record) : delta_statement(at, value, record);
}

std::vector<Statement> statements_of(const Certificate& certificate) {
  std::vector<Statement> statements;
  for (const certificate::Claim& claim : certificate.claims)
    statements.push_back(statement_of(claim.is_epsilon, claim.at, claim.value));
  for (const certificate::CurvePoint& point : certificate.curve)
    statements.push_back(delta_statement(point.epsilon, point.delta));
  if (certificate.people) {
    const certificate::PeopleClaim& people = *certificate.people;
    const auto add = [&](const certificate::PersonPoint& point) {
      statements.push_back(statement_of(people.is_epsilon, people.at, point.value, static_cast<double>(point.record)));
    };
    // Nobody is worse off than the worst.
    statements.push_back(statement_of(people.is_epsilon, people.at, Bracket(0.0, people.worst.value.upper())));
    add(people.worst);
    add(people.best);
    for (const certificate::PersonPoint& point : people.points) add(point);
  }
  return statements;
}

language::Program about(const language::Program& program, double record) {
  if (record == 0.0) return program;
  if (program.kind == language::Program::Kind::kCall) return of_person(program, record);
  throw CannotCheck("people of something that is not a single run");
}

Context context_of(const std::vector<Statement>& statements, const Attempt& attempt) {
  Context context{
      .largest_epsilon = 0.0, .least_delta = 1.0, .effort = attempt.effort, .is_from_below = attempt.is_from_below};
  for (const Statement& one : statements) {
    if (std::isfinite(one.epsilon)) context.largest_epsilon = std::max(context.largest_epsilon, one.epsilon);
    if (one.delta > 0.0) context.least_delta = std::min(context.least_delta, one.delta);
  }
  return context;
}

// Settled, or not yet.
std::optional<Check> judged(const Statement& one, const Known& known) {
  // An infinite epsilon, or a delta of 1, is no claim.
  const bool is_trivial = (one.is_of_epsilon && std::isinf(one.epsilon)) || one.delta >= 1.0;
  if (!is_trivial && std::isinf(one.epsilon)) throw CannotCheck("delta at an infinite epsilon");
  const Enclosed at = is_trivial ? Enclosed{Ball(0), Ball(0)} : known.delta(Ball(one.epsilon));
  if (certainly_less(Ball(one.delta), at.lower))
    return Check{one.text, Verdict::kRefuted,
                 fmt::format("{}: delta there is at least {}", one.too_small, format_down(at.lower.lower(), 8))};
  const bool has_lower = one.least_epsilon > 0.0 && one.least_delta > 0.0 && std::isfinite(one.least_epsilon);
  const Ball least = !has_lower                                        ? Ball(1)
                     : one.least_epsilon == one.epsilon && !is_trivial ? at.upper
                                                                       : known.delta(Ball(one.least_epsilon)).upper;
  if (has_lower && certainly_less(least, Ball(one.least_delta)))
    return Check{one.text, Verdict::kRefuted,
                 fmt::format("{}: delta there is at most {}", one.too_large, format_up(least.upper(), 8))};
  if (is_trivial) return Check{one.text, Verdict::kVerified, "no upper bound is claimed"};
  if (certainly_at_most(at.upper, Ball(one.delta)))
    return Check{
        one.text, Verdict::kVerified,
        fmt::format("delta at epsilon = {} is at most {}", format_exact(one.epsilon), format_up(at.upper.upper(), 8))};
  return std::nullopt;
}

// The upper bound that was found, for what could not be decided.
Check undecided(const Statement& one, const Known& known) {
  return {
      one.text, Verdict::kNotChecked,
      fmt::format("the independent bound on delta is {}, above what is claimed, and nothing shows that the claim is "
                  "false",
                  format_up(known.delta(Ball(one.epsilon)).upper.upper(), 8))};
}

class Verifier {
 public:
  Verifier(const Certificate& certificate, const VerifyProgress& progress)
      : certificate_(certificate), progress_(progress), statements_(statements_of(certificate)) {
    checks_.resize(statements_.size());
  }

  std::vector<Check> run() {
    for (const Attempt& attempt : kAttempts) {
      if (settled() == statements_.size()) break;
      const WithPrecision bits(attempt.bits);
      try_all(attempt);
    }
    std::vector<Check> checks;
    if (const auto check = renyi_check()) checks.push_back(*check);
    for (std::size_t i = 0; i < statements_.size(); ++i) checks.push_back(checks_[i] ? *checks_[i] : open_[i]);
    return checks;
  }

 private:
  // A third route to compositions, from above: no lower end may be beyond it.
  [[nodiscard]] std::optional<Check> renyi_check() const {
    if (statements_.empty() || statements_[0].least_epsilon <= 0.0 || statements_[0].least_delta <= 0.0)
      return std::nullopt;
    const Statement& one = statements_[0];
    const WithPrecision bits(kAttempts[0].bits);
    try {
      const Known subject = known(certificate_.program, context_of(statements_, kAttempts[0]));
      if (!subject.by_renyi || std::isinf(one.least_epsilon)) return std::nullopt;
      const Ball bound = subject.by_renyi(Ball(one.least_epsilon));
      const bool is_false = certainly_less(bound, Ball(one.least_delta));
      return Check{one.text, is_false ? Verdict::kRefuted : Verdict::kVerified,
                   fmt::format("{}by Renyi divergences alone delta at epsilon = {} is at most {}",
                               is_false ? one.too_large + ": " : "", format_exact(one.least_epsilon),
                               format_up(bound.upper(), 8))};
    } catch (const std::runtime_error&) {
      return std::nullopt;
    }
  }

  [[nodiscard]] std::size_t settled() const {
    return static_cast<std::size_t>(
        std::count_if(checks_.begin(), checks_.end(), [](const auto& check) { return check.has_value(); }));
  }

  void try_all(const Attempt& attempt) {
    const Context context = context_of(statements_, attempt);
    // One for each record, and one for everybody.
    std::map<double, std::optional<Known>> found;
    for (std::size_t i = 0; i < statements_.size(); ++i) {
      if (checks_[i]) continue;
      const Statement& one = statements_[i];
      try {
        std::optional<Known>& subject = found[one.record];
        if (!subject) {
          static_cast<void>(subjects_of(certificate_.program));
          subject = known(about(certificate_.program, one.record), context);
        }
        checks_[i] = judged(one, *subject);
        if (!checks_[i] && !attempt.is_from_below) open_[i] = undecided(one, *subject);
      } catch (const CannotCheck& reason) {
        give_up(i, reason.what());
      } catch (const Error& error) {
        give_up(i, error.what());
      }
      progress_(settled(), statements_.size());
    }
  }

  // A bound that was found says more than that a closer one was not.
  void give_up(std::size_t i, const std::string& why) {
    open_.try_emplace(i, Check{statements_[i].text, Verdict::kNotChecked, why});
  }

  const Certificate& certificate_;
  const VerifyProgress& progress_;
  std::vector<Statement> statements_;
  std::vector<std::optional<Check>> checks_;
  std::map<std::size_t, Check> open_;  ///< why what is not settled is not
};

}  // namespace

std::string_view name(Verdict verdict) {
  constexpr auto kVerdicts = words<Verdict>(
      {{"VERIFIED", Verdict::kVerified}, {"REFUTED", Verdict::kRefuted}, {"NOT CHECKED", Verdict::kNotChecked}});
  return kVerdicts.word_of(verdict);
}

Verdict overall(const std::vector<Check>& checks) {
  bool is_verified = !checks.empty();
  for (const Check& check : checks) {
    if (check.verdict == Verdict::kRefuted) return Verdict::kRefuted;
    is_verified = is_verified && check.verdict == Verdict::kVerified;
  }
  return is_verified ? Verdict::kVerified : Verdict::kNotChecked;
}

std::vector<Check> verify(const Certificate& certificate, const VerifyProgress& progress) {
  if (!certificate.void_because.empty())
    return {{"the certificate", Verdict::kNotChecked, "it is void, and claims nothing"}};
  return Verifier(certificate, progress).run();
}

}  // namespace doeblin::verify
