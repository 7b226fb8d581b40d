// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "composition/stages/substitution.hpp"
#include "doeblin/composition/stages.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {
namespace {

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

// Parts about additions and removals among parts about exchanges become such parts too.
void lift_relations(std::vector<Pipeline>& parts) {
  const auto is_exchange = [](const Pipeline& part) { return part.relation() == Relation::kSubstitute; };
  if (std::none_of(parts.begin(), parts.end(), is_exchange)) return;
  for (Pipeline& part : parts)
    if (part.relation() == Relation::kAddRemove && !part.neighbours().size) part = std::move(part) | as_substitution();
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
Mechanism for_itself(const Mechanism& part, bool is_about_fewer) {
  const Neighbours& about = part.neighbours();
  if (!about.is_of_worst_place && about.places.empty()) return part;
  return Mechanism(part).apart(!is_about_fewer);
}

// One composition of all parts; a sum among them is a composition of its own.
std::optional<language::Program> program_of_sum(const std::vector<std::optional<language::Program>>& parts) {
  if (parts.size() == 1) return parts[0];
  language::Program sum{.kind = language::Program::Kind::kSum};
  for (const std::optional<language::Program>& part : parts) {
    if (!part) return std::nullopt;
    sum.parts.push_back(*part);
  }
  return sum;
}

}  // namespace

Pipeline sum(std::vector<Pipeline> parts, const Settings& settings) {
  require_ieee();
  ensure(!parts.empty(), "a sum has parts");
  std::vector<std::optional<language::Program>> programs;
  programs.reserve(parts.size());
  for (const Pipeline& part : parts) programs.push_back(part.program_);
  double people = 1.0;
  for (const Pipeline& part : parts) people = std::max(people, part.neighbours().people);
  for (Pipeline& part : parts) lift(part, people);
  lift_relations(parts);
  const bool is_attained = has_common_worst(parts);
  std::vector<Mechanism> mechanisms;
  mechanisms.reserve(parts.size());
  for (const Pipeline& part : parts)
    mechanisms.push_back(is_attained ? part.mechanism() : for_itself(part.mechanism(), is_about_fewer(parts)));
  Pipeline result = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i)
    for (Derived& step : parts[i].steps_) result.steps_.push_back(std::move(step));
  result.steps_.emplace_back(composed(mechanisms, settings));
  result.program_ = program_of_sum(programs);
  return result;
}

}  // namespace doeblin::pipeline
