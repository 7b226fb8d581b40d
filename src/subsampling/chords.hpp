// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// A point of a convex function of g = e^{eps}, from above.
struct ChordPoint {
  double at;
  double value;
};

/// The part of a convex function between two points, as a chord. The slope decides in which order chords are used;
/// nothing else depends on its rounding.
struct Chord {
  ChordPoint from;
  ChordPoint to;
  double slope;

  /// Not less than the chord at g, from.at <= g <= to.at, of a function that falls.
  [[nodiscard]] double value_at(double g) const;
  /// The same of one that rises.
  [[nodiscard]] double rising_value_at(double g) const;
};

/// Chords from left to right whose slopes rise.
[[nodiscard]] std::vector<Chord> convex_chords(const std::vector<ChordPoint>& points);

/// D_g as a function of g >= 1: delta at places from 0 to where it is as small as it gets, or too small to matter.
[[nodiscard]] std::vector<ChordPoint> divergence_points(const Profile& profile);
/// The same for all g >= 0, where D_g(P||Q) = 1 - g + g D_{1/g}(Q||P) below 1.
[[nodiscard]] std::vector<ChordPoint> continued_to_zero(const std::vector<ChordPoint>& points);
/// b D_{1/b} as a function of b from 0 to 1.
[[nodiscard]] std::vector<ChordPoint> perspective(const std::vector<ChordPoint>& points);

}  // namespace doeblin
