// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/composition/tilted_lattice.hpp"

namespace doeblin {

/// delta as a function of epsilon for a lattice of total losses, from one side.
///
/// Formula  delta(eps) = infinite + sum over x > eps of p(x) (1 - e^{eps - x})
/// Method   two running sums from the right, of positive terms only; after that a value costs two exponentials
class TailCurve {
 public:
  TailCurve(const TiltedLattice& lattice, Side side);

  /// On its side of the lattice's delta; in [0, 1].
  [[nodiscard]] double delta(double epsilon) const;

  /// Upper side: an epsilon with delta(epsilon) <= level. Lower side: an epsilon below which delta exceeds the level
  /// (0 if it never does). Infinite when the infinite losses alone exceed the level.
  [[nodiscard]] double epsilon(double level) const;

 private:
  // At this far above the offset.
  [[nodiscard]] double delta_above(double epsilon) const;
  // About the largest epsilon at which a lower curve is above the level; 0 if it is not seen to be.
  [[nodiscard]] double last_seen_above(double level) const;

  Side side_;
  double step_;
  double first_;  // index of the first point
  double tilt_;
  double log_scale_;
  double stray_;
  double infinite_;
  double offset_;
  // In units of e^{log_scale - tilt x_j}: sums over i >= j of m_i r^{i-j} q^{i-j} and of m_i r^{i-j} (1 - q^{i-j}),
  // with r = e^{-tilt step} and q = e^{-step}.
  std::vector<double> discounted_;
  std::vector<double> excess_;
};

}  // namespace doeblin
