// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "doeblin/mixing/finite_kernel.hpp"
#include "doeblin/mixing/mixing.hpp"

/// Finite kernels that have a name.
namespace doeblin {

/// k-ary randomised response: a state stays with probability p and becomes each of the other k - 1 with equal
/// probability, `steps` times. With k = 2 and p the probability of being replaced it is the binary symmetric channel.
struct KAryResponse {
  double k = 2.0;
  double p = 0.5;
  double steps = 1.0;
  bool p_is_of_replacing = false;  ///< p is the probability of not staying, which may be far smaller than 2^-53

  void validate() const;
  /// lambda^steps, where the kernel is lambda times the identity plus (1 - lambda) times the uniform law:
  /// lambda = 1 - (1 - p) k/(k - 1).
  [[nodiscard]] Bracket memory() const;
  /// The probabilities of staying and of being replaced, in one step.
  [[nodiscard]] Bracket kept() const { return p_is_of_replacing ? 1.0 - Bracket(p) : Bracket(p); }
  [[nodiscard]] Bracket replaced() const { return p_is_of_replacing ? Bracket(p) : 1.0 - Bracket(p); }
  /// The two entries of a row of the power.
  [[nodiscard]] Bracket diagonal() const;
  [[nodiscard]] Bracket off_diagonal() const;
  [[nodiscard]] Bracket smaller_entry() const { return min(diagonal(), off_diagonal()); }
};

/// Formula  |lambda^r| - (e^eps - 1) min(p_r, q_r), or 0 where negative; p_r = (1 + (k-1) lambda^r)/k on the diagonal
///          of the r-th power and q_r = (1 - lambda^r)/k off it
[[nodiscard]] Bracket hockey_stick(const KAryResponse& kernel, Epsilon epsilon);
[[nodiscard]] MixingKernel mixing_kernel(const KAryResponse& kernel);
/// 1 - k min(p_r, q_r).
[[nodiscard]] Bracket doeblin_gamma(const KAryResponse& kernel);
/// Its matrix. Domain: k <= 4096.
[[nodiscard]] FiniteKernel finite_kernel(const KAryResponse& kernel);

/// The truncated geometric mechanism on {0, ..., states - 1}: two-sided geometric noise, Pr[j] proportional to
/// ratio^|j|, then clipping. Domain: 2 <= states <= 4096, 0 <= ratio < 1.
[[nodiscard]] FiniteKernel truncated_geometric(double states, double ratio);

using io::Edge;

/// Stays with probability `laziness`, else follows an edge with probability proportional to its weight; a node without
/// edges stays. Edges between the same nodes add up; an edge from a node to itself counts once.
[[nodiscard]] FiniteKernel lazy_walk(std::size_t nodes, const std::vector<Edge>& edges, double laziness);

}  // namespace doeblin
