// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "doeblin/sampling/lattice_noise.hpp"
#include "doeblin/training/descent_plan.hpp"

namespace doeblin::training {

/// Rounds a point to the grid and adds exact noise to every coordinate.
class GridStep {
 public:
  GridStep(const DescentPlan& plan, const sampling::RandomStream::Key& key);

  void add_noise(std::span<double> point);

 private:
  void refill();

  sampling::RandomStream random_;
  sampling::LatticeNoise noise_;
  double steps_per_unit_;
  double unit_;
  double reach_;
  std::vector<std::int64_t> draws_;
  std::size_t next_;
};

}  // namespace doeblin::training
