// SPDX-License-Identifier: Apache-2.0
#include "audit/grid_noise.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "doeblin/core/error.hpp"

namespace doeblin::audit {
namespace {

constexpr int kGridBits = 40;
constexpr std::size_t kBatch = 1024;

double step_for(double scale) {
  require(scale >= 1e-290 && scale <= 1e290, "noise", scale, "1e-290 <= noise <= 1e290");
  return std::ldexp(1.0, std::ilogb(scale) - kGridBits);
}

}  // namespace

GridNoise::GridNoise(LatticeLaw law, double scale) : GridNoise(law, scale / step_for(scale), step_for(scale)) {}

GridNoise GridNoise::integers(LatticeLaw law, double scale) { return {law, scale, 1.0}; }

GridNoise::GridNoise(LatticeLaw law, double parameter, double step) : step_(step) {
  require(parameter >= 0x1p-10 && parameter <= 0x1p48, "noise", parameter, "2^-10 <= noise <= 2^48 on the integers");
  noise_ = std::make_shared<const sampling::LatticeNoise>(law == LatticeLaw::kGaussian
                                                              ? sampling::LatticeNoise::gaussian(parameter)
                                                              : sampling::LatticeNoise::laplace(parameter));
}

void GridNoise::add_to(std::vector<double>& values, sampling::RandomStream& random) const {
  std::array<std::int64_t, kBatch> draws;
  for (std::size_t done = 0; done < values.size(); done += kBatch) {
    const std::size_t count = std::min(kBatch, values.size() - done);
    noise_->fill(random, std::span(draws).first(count));
    for (std::size_t i = 0; i < count; ++i) values[done + i] += step_ * static_cast<double>(draws[i]);
  }
}

}  // namespace doeblin::audit
