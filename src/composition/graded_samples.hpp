// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "composition/graded_grid.hpp"
#include "composition/placed_losses.hpp"
#include "doeblin/composition/loss_lattice.hpp"
#include "doeblin/profile/loss_pair.hpp"

namespace doeblin {

/// A pair whose losses are of very different sizes: most of them tiny, some rare ones large. Its divergences are sampled
/// on a graded grid, and its losses then placed on an even one, which need not be as fine as the tiny losses.
class GradedSamples {
 public:
  /// The losses from -left to right; `finer` halvings of all cells.
  GradedSamples(const LossPair& pair, double left, double right, double widest, int finer);

  /// False when a grid would be too long.
  [[nodiscard]] bool is_usable() const { return !grid_.is_empty(); }
  /// On the graded grid.
  [[nodiscard]] ScatteredLosses losses(Direction direction, Side side) const;

 private:
  GradedGrid grid_;
  DivergenceSamples forward_;
  DivergenceSamples backward_;
};

/// About log E[e^{tilt L}].
[[nodiscard]] double log_moment_of(const ScatteredLosses& losses, double tilt);

}  // namespace doeblin
