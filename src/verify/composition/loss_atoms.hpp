// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "verify/composition/loss_lattice.hpp"

/// Pairs of laws brought onto a grid of losses, from above and from below.
namespace doeblin::verify {

/// Probabilities under P of losses k h, k = first, ..., and of an infinite loss.
struct Atoms {
  double step = 0.0;
  long first = 0;
  std::vector<Ball> masses = {};
  Ball infinite = Ball(0);
  /// Every loss is by this smaller than its grid point.
  Ball below = Ball(0);
};

/// Where the losses of a part lie, but for a divergence below what was asked for.
struct Reach {
  double low, high;
};

[[nodiscard]] Reach reach_of(const LatticePart& part, double tiny);

/// The chords of the convex function D_g between grid points lie above it, and have their kinks on the grid: they are
/// the divergence of a pair that is worse. Mass at e^x is the kink there times e^x.
[[nodiscard]] Atoms upper_atoms(const LatticePart& part, const Reach& reach, double step);

/// The largest of lines that nowhere lie above D_g is the divergence of a pair that is better. Tangents at the middles
/// of cells meet close to the grid points; their kinks are moved down to them by one common distance.
[[nodiscard]] Atoms lower_atoms(const LatticePart& part, const Reach& reach, double step);

}  // namespace doeblin::verify
