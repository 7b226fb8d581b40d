// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <vector>

#include "doeblin/core/types.hpp"

/// Privacy of a hidden run by contraction: steps that do not use a record shrink the divergence of what came before,
/// because the state stays in a bounded domain (catalogue I5, I6, I7). All in log space: the divergence falls through
/// 1e-300 in a few steps.
namespace doeblin {

/// An upper bound on log F(d), where both inputs of a mu-GDP kernel may differ arbitrarily and d = e^log_delta bounds
/// their divergence.
///
/// Formula  F(d) = d theta_{1+(g-1)/d}(mu), g = e^epsilon; increasing in d
/// Source   catalogue M2, I6
[[nodiscard]] double contracted(double log_delta, Epsilon epsilon, double mu);

/// The steps after the last use of a record, seen as kernels.
struct HiddenTail {
  std::size_t steps = 0;
  /// An upper bound on the Gaussian level if the state were released this many steps after the last use (I2, I3, I4).
  std::function<double(std::size_t)> start_level;
  /// The same for the steps from+1, ..., to as a kernel on the whole domain.
  std::function<double(std::size_t, std::size_t)> block_level;
};

/// Where the blocks end: the first stop ends the part that is analysed by shifting, the last is `steps`.
using Stops = std::vector<std::size_t>;

/// An upper bound on the log of the profile, for the given blocks.
///
/// Formula  B = theta_g(start level at stops[0]), then B <- F_block(B) for every further block
/// Source   catalogue I7
[[nodiscard]] double log_delta(const HiddenTail& tail, const Stops& stops, Epsilon epsilon);

/// Blocks that make log_delta small: every partition for up to kFinePositions steps; for longer tails partitions at
/// equally spaced positions, and chains of equal blocks.
[[nodiscard]] Stops best_stops(const HiddenTail& tail, Epsilon epsilon);

inline constexpr std::size_t kFinePositions = 64;

/// The levels of a tail at some positions, for many questions: of a release at each, and of the blocks between any two.
struct StopLevels {
  std::vector<double> starts;
  std::vector<std::vector<double>> blocks;  ///< blocks[k][j], from position j to position k > j
};

/// Domain   positions increasing, none after `steps`
[[nodiscard]] StopLevels levels_at(const HiddenTail& tail, const std::vector<std::size_t>& positions);

/// Upper bounds on log delta if the state were released at each of the positions: every partition whose blocks end at
/// some of them.
[[nodiscard]] std::vector<double> log_deltas(const StopLevels& levels, Epsilon epsilon);

/// An upper bound on the smallest epsilon at which the tail meets delta.
///
/// Method   the blocks that are best at the present epsilon, then the smallest epsilon for these blocks, and again
///          until nothing improves; `stops` holds the last blocks, and on entry a first guess (may be empty)
[[nodiscard]] double epsilon_bound(const HiddenTail& tail, Delta delta, Stops& stops);

/// The smallest epsilon for fixed blocks, from above and certified, at most `above`, which is known to meet delta.
[[nodiscard]] double epsilon_bound(const HiddenTail& tail, const Stops& stops, Delta delta, double above);

}  // namespace doeblin
