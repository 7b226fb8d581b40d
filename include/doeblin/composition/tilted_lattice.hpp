// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "doeblin/composition/loss_lattice.hpp"

namespace doeblin {

/// A lattice of losses seen through an exponential tilt, so that the losses that matter are its likely ones however
/// rare they are: the mass at loss offset + x is e^{log_scale - tilt x} mass.
struct TiltedLattice {
  double step = 1.0;
  std::int64_t first = 0;
  std::vector<double> mass = {};  ///< they add up to about 1
  double tilt = 0.0;
  double log_scale = 0.0;
  /// Tilted mass that sits somewhere, nobody knows where (upper side only).
  double stray = 0.0;
  /// Untilted mass at loss infinity, and at least the log of the untilted total.
  double infinite = 0.0;
  double log_total = 0.0;
  double offset = 0.0;

  /// Without the offset.
  [[nodiscard]] double loss(std::size_t k) const {
    return static_cast<double>(first + static_cast<std::int64_t>(k)) * step;
  }
};

/// The lattice under the tilt. Domain: tilt >= 0.
[[nodiscard]] TiltedLattice tilted(const LossLattice& lattice, double tilt, Side side);

/// A lattice that is released `count` times.
struct LatticePart {
  const TiltedLattice* lattice;
  double count;
};

/// Where the total loss of a composition lies, under the tilt.
struct LossWindow {
  std::int64_t first = 0;
  std::int64_t last = 0;
  double outside_below = 0.0;  ///< bounds on the tilted mass to the left and right
  double outside_above = 0.0;
  [[nodiscard]] double points() const { return static_cast<double>(last - first) + 1.0; }
};

/// A window outside of which lies a tilted mass of at most `outside` on each side (Chernoff). Losses too far out to be
/// indexed give a window of 2^51 points.
[[nodiscard]] LossWindow window_of(const std::vector<LatticePart>& parts, double outside);

/// The sum of independent losses on a common step and tilt, all masses on their side of the exact ones.
///
/// Method   spectra by FFT, raised to their counts by repeated squaring
/// Bound    every entry is moved by what transforms, products and wrapped-around mass can have changed
/// Domain   the window has at most 2^26 points
[[nodiscard]] TiltedLattice convolved(const std::vector<LatticePart>& parts, const LossWindow& window, Side side);

}  // namespace doeblin
