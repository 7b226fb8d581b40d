// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/pipeline.hpp"

#include <algorithm>
#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Guarantee guarantee_of(const Gdp& gdp) {
  return {.profile = profile_of(gdp),
          .renyi = renyi_of(gdp),
          .pairs = LossPairs::exact(LossPair::symmetric_of(profile_of(gdp))),
          .gdp = gdp,
          .zcdp = Zcdp{gdp.mu * gdp.mu * 0.5},
          .white_box_group = [gdp](double k) { return guarantee_of(doeblin::group(gdp, k)); },
          .group_rule = "GDP for k people: k mu"};
}

Guarantee guarantee_of(const Zcdp& zcdp) {
  return {.profile = profile_of(zcdp),
          .renyi = renyi_of(zcdp),
          .zcdp = zcdp,
          .white_box_group = [zcdp](double k) { return guarantee_of(doeblin::group(zcdp, k)); },
          .group_rule = "zCDP for k people: k^2 rho"};
}

Profile nothing_attained() {
  return Profile([](Epsilon) { return Bracket(0.0); }, [](Delta) { return Bracket(0.0); }, {.tight = false});
}

struct Derived::Work {
  std::once_flag is_done;
  std::function<Guarantee()> worst;
  std::optional<Guarantee> guarantee;
};

Derived::Derived(Evaluated known)
    : step(std::move(known.step)),
      neighbours_(known.guarantee.neighbours),
      people_(known.guarantee.people),
      work_(std::make_shared<Work>()) {
  work_->guarantee = std::move(known.guarantee);
}

Derived::Derived(Step line, Neighbours about, std::shared_ptr<const People> people, std::function<Guarantee()> worst)
    : step(std::move(line)),
      neighbours_(std::move(about)),
      people_(std::move(people)),
      work_(std::make_shared<Work>()) {
  work_->worst = std::move(worst);
}

const Guarantee& Derived::guarantee() const {
  std::call_once(work_->is_done, [this] {
    if (!work_->worst) return;
    Guarantee found = work_->worst();
    found.neighbours = neighbours_;
    found.people = people_;
    work_->guarantee = std::move(found);
  });
  return *work_->guarantee;
}

namespace {

// What no stage undoes.
void inherit(Guarantee& after, const Guarantee& before) {
  after.has_third_law = after.has_third_law || before.has_third_law;
  if (after.hidden_choice.empty()) after.hidden_choice = before.hidden_choice;
}

// The same release about k people; parts of a sum must be about as many.
void lift(Pipeline& part, double people) {
  const double now = part.neighbours().people;
  if (now == people) return;
  if (std::fmod(people, now) != 0.0)
    throw InvalidArgument("k", now,
                          fmt::format("a divisor of {}, the largest group of the sum; or group(k) once, after the sum",
                                      format_exact(people)));
  part = std::move(part) | group(people / now);
}

// The derivation in words; empty where these leave something out.
std::string words_of(const Pipeline& pipeline) {
  std::string words;
  for (const Derived& one : pipeline.steps()) words += one.step.stage + "\n";
  const bool is_short = words.find('<') != std::string::npos || words.find(" steps)") != std::string::npos;
  return is_short ? "" : words;
}

// Somebody is known who is the worst off in all parts: at most one of them depends on places, or they are the same run.
bool has_common_worst(const std::vector<Pipeline>& parts) {
  const Pipeline* first = nullptr;
  for (const Pipeline& part : parts) {
    const Neighbours& about = part.neighbours();
    if (!about.is_of_worst_place && about.places.empty()) continue;
    if (first && (words_of(part).empty() || words_of(part) != words_of(*first))) return false;
    first = &part;
  }
  return true;
}

// The sum is about fewer people than some part: those whose places are given, or whose records are private everywhere.
bool is_about_fewer(const std::vector<Pipeline>& parts) {
  return std::any_of(parts.begin(), parts.end(), [](const Pipeline& part) {
    return !part.neighbours().places.empty() || part.neighbours().public_tail > 0.0;
  });
}

// The worst of one part need not be the worst of another: what such parts attain does not add up, and is nothing where
// the sum may not be about its worst at all.
Guarantee for_itself(Guarantee part, bool is_about_fewer) {
  if (!part.neighbours.is_of_worst_place && part.neighbours.places.empty()) return part;
  if (is_about_fewer) part.profile = enclosed(nothing_attained(), part.profile);
  part.renyi = enclosed(part.renyi, part.renyi);
  if (part.gdp) part.dominating_gdp = part.gdp;
  part.gdp.reset();
  part.zcdp.reset();
  if (part.pairs) part.pairs = LossPairs{.dominating = part.pairs->dominating};
  for (Release& release : part.releases)
    release.guarantee = std::make_shared<const Guarantee>(for_itself(*release.guarantee, is_about_fewer));
  return part;
}

}  // namespace

Evaluated applied(const Stage& stage, const Guarantee& before) {
  const Neighbours about = stage.about(before.neighbours);
  Evaluated after = stage.apply(before);
  after.guarantee.neighbours = about;
  inherit(after.guarantee, before);
  return after;
}

Pipeline operator|(Pipeline pipeline, const Stage& stage) {
  require_ieee();
  const Derived& before = pipeline.steps_.back();
  if (!stage.of_people || !before.people()) {
    pipeline.steps_.emplace_back(applied(stage, before.guarantee()));
    return pipeline;
  }
  const Neighbours about = stage.about(before.neighbours());
  Evaluated after = stage.of_people(*before.people());
  after.guarantee.neighbours = about;
  pipeline.steps_.emplace_back(std::move(after));
  return pipeline;
}

Pipeline sum(std::vector<Pipeline> parts, const Settings& settings) {
  require_ieee();
  ensure(!parts.empty(), "a sum has parts");
  double people = 1.0;
  for (const Pipeline& part : parts) people = std::max(people, part.neighbours().people);
  for (Pipeline& part : parts) lift(part, people);
  const bool is_attained = has_common_worst(parts);
  std::vector<Guarantee> guarantees;
  guarantees.reserve(parts.size());
  for (const Pipeline& part : parts)
    guarantees.push_back(is_attained ? part.guarantee() : for_itself(part.guarantee(), is_about_fewer(parts)));
  Pipeline result = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (Derived& step : parts[i].steps_) result.steps_.push_back(std::move(step));
  Evaluated total = composed(guarantees, settings);
  for (const Guarantee& part : guarantees) inherit(total.guarantee, part);
  result.steps_.emplace_back(std::move(total));
  return result;
}

}  // namespace doeblin::pipeline
