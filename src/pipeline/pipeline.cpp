// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/pipeline.hpp"

#include <algorithm>
#include <cmath>

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

}  // namespace

Evaluated applied(const Stage& stage, const Guarantee& before) {
  const Neighbours about = stage.about(before.neighbours);
  Evaluated after = stage.apply(before);
  after.guarantee.neighbours = about;
  inherit(after.guarantee, before);
  return after;
}

Pipeline operator|(Pipeline pipeline, const Stage& stage) {
  pipeline.steps_.push_back(applied(stage, pipeline.guarantee()));
  return pipeline;
}

Pipeline sum(std::vector<Pipeline> parts, const Settings& settings) {
  ensure(!parts.empty(), "a sum has parts");
  double people = 1.0;
  for (const Pipeline& part : parts) people = std::max(people, part.neighbours().people);
  std::vector<Guarantee> guarantees;
  for (Pipeline& part : parts) {
    lift(part, people);
    guarantees.push_back(part.guarantee());
  }
  Pipeline result = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (Evaluated& step : parts[i].steps_) result.steps_.push_back(std::move(step));
  result.steps_.push_back(composed(guarantees, settings));
  for (const Guarantee& part : guarantees) inherit(result.steps_.back().guarantee, part);
  return result;
}

}  // namespace doeblin::pipeline
