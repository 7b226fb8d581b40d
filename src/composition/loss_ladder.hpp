// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "doeblin/composition/tilted_lattice.hpp"

namespace doeblin {

/// A lattice that is released `count` times, owned.
struct Repeated {
  TiltedLattice lattice;
  double count;
};

/// How many points a transform on the way, and the last one, should have.
inline constexpr double kPointsOnTheWay = 0x1p15;
inline constexpr double kPointsAtTheEnd = 0x1p20;
inline constexpr double kOutsideTotal = 1e-10;

/// The total loss. Where one grid would be too long, packets of n releases are composed first and put on a grid
/// sqrt(n) times as coarse: the step then grows like the spread, and each level adds about as much to the error as the
/// first grid did.
///
/// Nothing is returned when the grid is too fine for the number of releases: transforms too long, or rounding errors
/// that outweigh the masses. `outside` is the tilted mass that the last window may leave out on each side: the answer
/// pays for it once above, and below for every point that decides.
[[nodiscard]] std::optional<TiltedLattice> total_loss(std::vector<Repeated> parts, Side side,
                                                      double outside = kOutsideTotal);

/// The number of levels that a composition with this many points on its first grid goes through.
[[nodiscard]] int levels_for(double points);

}  // namespace doeblin
