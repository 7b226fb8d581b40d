// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/randomized_response.hpp"

/// What several people have whose data is counted: lower ends of mechanisms with finitely many outputs (catalogue C8, S10).
namespace doeblin {

/// The law of a number of people.
struct PeopleCounts {
  std::vector<Bracket> weights;  ///< of 0, 1, ... people
  double rest = 0.0;             ///< at least the weight of all larger numbers

  /// Domain: a whole number
  [[nodiscard]] static PeopleCounts exactly(double people);
  /// How many steps of a walk make a difference, at most so many.
  [[nodiscard]] std::size_t steps(std::size_t most) const;
};

/// Laws of outputs, one after another: one person more, or less, leads from each to the next one, or changes nothing. A
/// mechanism that takes i steps ahead from the origin when i people of one side are there, and j steps back when j of the
/// other side are, moves by one step at most for every person; where the walk ends it stays.
struct Walk {
  std::vector<std::vector<Bracket>> laws;
  std::size_t origin = 0;
};

/// No walk takes more steps than these: later ones are rarely reached, and cost a bit each.
inline constexpr std::size_t kLongestWalk = 8;

/// sum_i first_i law(i) against sum_j second_j law(-j), law(n) being n steps from the origin: with so many people of the
/// one side in the first data, and of the other in the second.
[[nodiscard]] LossPair pair_of_counts(const Walk& walk, const PeopleCounts& first, const PeopleCounts& second);

/// Bits of the data, each reported truthfully with probability p: "there is one of them", "there are two" and so on, those of
/// one side as they come and those of the other as they go. Each person changes one bit at most.
[[nodiscard]] Walk bit_walk(const RandomizedResponse& mechanism, const PeopleCounts& first, const PeopleCounts& second);

/// k people, each of whom has a bit of their own: P^k against Q^k, by how many bits are reported as they are in the first
/// data.
[[nodiscard]] LossPair pair_of_reports(const RandomizedResponse& mechanism, double k);

/// From row to neighbouring row, as far away from each other as was found for these counts, in the sum of (P - Q)^2/(P + Q): it
/// grows with what many releases tell, and stays finite.
/// Cost     some passes over all pairs of neighbours
[[nodiscard]] Walk best_walk(const FiniteMechanism& mechanism, const PeopleCounts& first, const PeopleCounts& second);

}  // namespace doeblin
