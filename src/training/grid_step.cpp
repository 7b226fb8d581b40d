// SPDX-License-Identifier: Apache-2.0
#include "training/grid_step.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::training {
namespace {

// Draws made at a time: the samplers work on blocks.
constexpr std::size_t kBlock = 8192;
// Adding and subtracting this rounds numbers below 2^51 to whole ones.
constexpr double kRounder = 0x1.8p52;

// No more than the whole run needs, and enough for one point.
std::size_t block_size(const DescentPlan& plan) {
  const std::size_t dimension = plan.request.dimension;
  const std::size_t points = std::max<std::size_t>(1, kBlock / dimension);
  return dimension * std::min(points, plan.privacy.steps());
}

sampling::LatticeNoise noise_of(const DescentPlan& plan) {
  return plan.request.noise == pipeline::NoiseLaw::kGaussian ? sampling::LatticeNoise::gaussian(plan.grid.noise)
                                                             : sampling::LatticeNoise::laplace(plan.grid.noise);
}

}  // namespace

GridStep::GridStep(const DescentPlan& plan, const sampling::RandomStream::Key& key)
    : random_(key),
      noise_(noise_of(plan)),
      steps_per_unit_(std::ldexp(1.0, -plan.grid.exponent)),
      unit_(std::ldexp(1.0, plan.grid.exponent)),
      reach_(plan.grid.reach * steps_per_unit_),
      draws_(block_size(plan)),
      next_(draws_.size()) {}

void GridStep::refill() {
  noise_.fill(random_, draws_);
  next_ = 0;
}

void GridStep::add_noise(std::span<double> point) {
  // What is left of a block is not enough for a point: it is thrown away.
  if (next_ + point.size() > draws_.size()) refill();
  std::int64_t* const draws = draws_.data() + next_;
  next_ += point.size();
  for (std::size_t j = 0; j < point.size(); ++j) {
    const double steps = std::clamp(point[j] * steps_per_unit_, -reach_, reach_);
    const double whole = (steps + kRounder) - kRounder;
    point[j] = std::clamp(whole + static_cast<double>(draws[j]), -reach_, reach_) * unit_;
    draws[j] = 0;
  }
}

}  // namespace doeblin::training
