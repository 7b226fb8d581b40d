// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/walk.hpp"

#include <algorithm>

namespace doeblin {
namespace {

using Law = std::vector<Bracket>;

// Reports of more people are those of so many: their law takes a sum for each.
constexpr double kMostReports = 512.0;
// What is less likely to be left over than this needs no step of its own.
constexpr double kNegligibleRest = 1e-14;

// What a walk of so many steps knows of the counts: the last step stands for all larger numbers too.
std::vector<Bracket> steps_of(const PeopleCounts& counts, std::size_t most) {
  const std::size_t last = std::min(most, counts.weights.size() - 1);
  std::vector<Bracket> steps(counts.weights.begin(), counts.weights.begin() + static_cast<std::ptrdiff_t>(last) + 1);
  for (std::size_t i = last + 1; i < counts.weights.size(); ++i) steps[last] = steps[last] + counts.weights[i];
  steps[last] = steps[last] + Bracket(0.0, counts.rest);
  return steps;
}

// The place of law(n), n steps ahead or back.
std::size_t ahead_of(const Walk& walk, std::size_t n) { return std::min(walk.origin + n, walk.laws.size() - 1); }
std::size_t behind_of(const Walk& walk, std::size_t n) { return n < walk.origin ? walk.origin - n : 0; }

template <typename Place>
Law mixture(const Walk& walk, const PeopleCounts& counts, std::size_t most, const Place& place) {
  const std::vector<Bracket> steps = steps_of(counts, most);
  Law law(walk.laws[0].size(), Bracket(0.0));
  for (std::size_t n = 0; n < steps.size(); ++n) {
    const Law& part = walk.laws[place(walk, n)];
    for (std::size_t y = 0; y < law.size(); ++y) law[y] = law[y] + steps[n] * part[y];
  }
  for (Bracket& chance : law) chance = clamp(chance, 0.0, 1.0);
  return law;
}

LossPair pair_of_laws(Law first, Law second) {
  return pair_of_rows(FiniteMechanism::enclosed({std::move(first), std::move(second)}, {{0, 1}}), {0, 1});
}

}  // namespace

PeopleCounts PeopleCounts::exactly(double people) {
  PeopleCounts counts{std::vector<Bracket>(static_cast<std::size_t>(people) + 1, Bracket(0.0))};
  counts.weights.back() = Bracket(1.0);
  return counts;
}

std::size_t PeopleCounts::steps(std::size_t most) const {
  std::size_t last = weights.size() - 1;
  for (double beyond = rest; last > 0; --last) {
    beyond += weights[last].upper();
    if (beyond > kNegligibleRest) break;
  }
  return std::min(most, last);
}

LossPair pair_of_counts(const Walk& walk, const PeopleCounts& first, const PeopleCounts& second) {
  return pair_of_laws(mixture(walk, first, walk.laws.size() - 1 - walk.origin, ahead_of),
                      mixture(walk, second, walk.origin, behind_of));
}

Walk bit_walk(const RandomizedResponse& mechanism, const PeopleCounts& first, const PeopleCounts& second) {
  const std::size_t behind = second.steps(kLongestWalk / 2);
  const std::size_t bits = behind + first.steps(kLongestWalk - behind);
  const Bracket truth(mechanism.p);
  const Bracket lie = 1.0 - truth;
  Walk walk{.laws = {}, .origin = behind};
  for (std::size_t ones = 0; ones <= bits; ++ones) {
    // The first bits are 1, as many as there are ones.
    Law law = {Bracket(1.0)};
    for (std::size_t bit = 0; bit < bits; ++bit) {
      Law longer;
      for (const Bracket& chance : law) {
        longer.push_back(chance * (bit < ones ? truth : lie));
        longer.push_back(chance * (bit < ones ? lie : truth));
      }
      law = std::move(longer);
    }
    walk.laws.push_back(std::move(law));
  }
  return walk;
}

LossPair pair_of_reports(const RandomizedResponse& mechanism, double k) {
  const Bracket truth(mechanism.p);
  const Bracket lie = 1.0 - truth;
  const auto ones = [&](const Bracket& one, const Bracket& zero) {
    Law law = {Bracket(1.0)};
    for (double report = 0.0; report < std::min(k, kMostReports); ++report) {
      law.emplace_back(0.0);
      for (std::size_t j = law.size() - 1; j > 0; --j) law[j] = clamp(law[j] * zero + law[j - 1] * one, 0.0, 1.0);
      law[0] = law[0] * zero;
    }
    return law;
  };
  return pair_of_laws(ones(truth, lie), ones(lie, truth));
}

}  // namespace doeblin
