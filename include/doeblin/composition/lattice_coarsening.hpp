// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/composition/tilted_lattice.hpp"

namespace doeblin {

/// The same losses on a grid `factor` times as coarse.
///
/// Upper    each loss is split between its neighbours so that both laws keep their mass (adds at most a quarter of the
///          new step squared to the variance, a sixth on average)
/// Lower    losses are merged until their common loss is on the grid (a garbling; takes about a twelfth)
[[nodiscard]] TiltedLattice coarsened(const TiltedLattice& lattice, std::int64_t factor, Side side);

}  // namespace doeblin
