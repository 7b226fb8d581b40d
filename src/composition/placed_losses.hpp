// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/composition/loss_lattice.hpp"

namespace doeblin {

/// Masses of the first law at any losses.
struct ScatteredLosses {
  std::vector<double> loss = {};  ///< rising
  std::vector<double> mass = {};  ///< 0 or at least 1e-300
  double infinite = 0.0;
  double log_total = 0.0;  ///< as for a LossLattice
};

/// The same losses on an even grid, whose offset is where most of them are.
///
/// Formula  delta is a sum of p f(e^{-x}) with f convex and falling, before and after any composition with other losses
/// Upper    each loss is split between its neighbours so that both laws keep their mass
/// Lower    those within a step around most of them become one, at the loss that both laws see, which is the offset;
///          from there outward, losses are merged until their common loss is on the grid
/// Domain   step has at most 30 significant bits; the range is less than 2^23 steps
[[nodiscard]] LossLattice placed(const ScatteredLosses& losses, double step, Side side);

}  // namespace doeblin
