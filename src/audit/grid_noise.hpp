// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "doeblin/sampling/lattice_noise.hpp"

namespace doeblin::audit {

/// Noise on a grid so fine that no number of runs can see it.
class GridNoise {
 public:
  /// Domain   1e-290 <= scale <= 1e290
  GridNoise(LatticeLaw law, double scale);
  /// Integers: one step of the grid is 1.
  [[nodiscard]] static GridNoise integers(LatticeLaw law, double scale);

  /// x += noise, for each.
  void add_to(std::vector<double>& values, sampling::RandomStream& random) const;

 private:
  GridNoise(LatticeLaw law, double parameter, double step);

  std::shared_ptr<const sampling::LatticeNoise> noise_;
  double step_;
};

}  // namespace doeblin::audit
