// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "doeblin/profile/loss_pair.hpp"

namespace doeblin {

/// Which side of the truth a computation must stay on.
enum class Side { kLower, kUpper };

/// Which law comes first when the loss of a pair is taken.
enum class Direction { kForward, kBackward };

/// Masses of the first law where the privacy loss is `offset` and a multiple of `step`, and where it is infinite. Whatever
/// is left of the total has loss minus infinity and counts for nothing.
struct LossLattice {
  double step = 1.0;
  std::int64_t first = 0;         ///< mass[k] sits at loss offset + (first + k) step
  std::vector<double> mass = {};  ///< on their side of the exact masses; 0 or at least 1e-300
  double infinite = 0.0;
  /// At least the log of the total mass, where rounding up may have made it more than 1.
  double log_total = 0.0;
  double offset = 0.0;
};

/// One direction's divergence at the points of a grid, halfway to the next, and its limit: point k is entry 2 k.
struct DivergenceSamples {
  std::vector<double> lower;
  std::vector<double> upper;
  double limit = 0.0;

  [[nodiscard]] std::int64_t cells() const { return (static_cast<std::int64_t>(lower.size()) - 2) / 2; }
};

/// The divergences of a pair on a grid, from which its loss is made discrete.
///
/// With g = e^eps, D_g is convex and decreasing in g, and a lattice is a piecewise linear function of g with its kinks
/// on the grid; a larger function is a less private pair, at every later composition.
///
/// Upper    the chords of the divergence ("connect the dots"); adds step^2/6 to the variance of the loss
/// Lower    the greatest convex function below the chords, lowered by what the divergence can sag below them; takes
///          about step^2/5 from the variance
/// Method   second differences of the divergence on eps >= 0 and of the reversed one on eps <= 0 (put-call parity),
///          so that neither tail is lost in the rounding of the other
class LossSamples {
 public:
  /// The grid goes from -left to right steps. Domain: step has at most 30 significant bits, 1 <= left, right < 2^21.
  LossSamples(const LossPair& pair, double step, std::int64_t left, std::int64_t right);

  [[nodiscard]] LossLattice lattice(Direction direction, Side side) const;

 private:
  double step_;
  DivergenceSamples forward_;
  DivergenceSamples backward_;
};

}  // namespace doeblin
