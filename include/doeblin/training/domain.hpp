// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

/// Convex sets that the parameter is kept in.
namespace doeblin::training {

enum class DomainKind {
  kBall,     ///< |w| <= size
  kBox,      ///< low <= w_j <= high
  kSimplex,  ///< w_j >= 0, sum w_j = size
  kL1Ball    ///< sum |w_j| <= size
};

struct Domain {
  DomainKind kind = DomainKind::kBall;
  double size = 1.0;
  double low = -1.0;
  double high = 1.0;

  /// Errors   InvalidArgument unless the set has more than one point in this dimension
  void validate(std::size_t dimension) const;

  /// The largest distance between two points, rounded up.
  [[nodiscard]] double diameter(std::size_t dimension) const;
  /// The largest norm of a point, rounded up.
  [[nodiscard]] double radius(std::size_t dimension) const;

  /// Replaces w by the nearest point of the set.
  ///
  /// Method   ball: one scaling; box: clipping; simplex and L1 ball: Michelot's passes, which drop coordinates below
  ///          the mean excess until none is left to drop
  /// Cost     O(d); for the simplex and the L1 ball O(d) a pass, few passes
  void project(std::span<double> w) const;

  /// A bound on the distance between what project() computes and the nearest point, for |w_j| <= largest.
  [[nodiscard]] double projection_error(std::size_t dimension, double largest) const;
};

/// "ball", "box", "simplex" or "l1_ball".
[[nodiscard]] std::string_view name(DomainKind kind);
/// Errors   InvalidArgument for other names
[[nodiscard]] DomainKind domain_named(std::string_view text);

}  // namespace doeblin::training
