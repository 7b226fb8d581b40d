// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/noise_path.hpp"

#include <sodium.h>

#include <array>
#include <cmath>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "sampling/double_word.hpp"

namespace doeblin::sampling {
namespace {

constexpr int kFactorBits = 62;

// floor(factor y/2^62 + 1/2), exactly: monotone, and at most a step further apart than the product.
std::int64_t product(std::int64_t factor, std::int64_t y) {
  const DoubleWord half = DoubleWord{1} << (kFactorBits - 1);
  return static_cast<std::int64_t>((DoubleWord{factor} * y + half) >> kFactorBits);
}

}  // namespace

NoisePath::NoisePath(LatticeLaw law, const std::vector<GridTransition>& path) {
  for (const GridTransition& step : path) {
    const double factor = std::ldexp(step.multiplier, kFactorBits);
    ensure(is_whole(factor, 1.0, 0x1p62), "a multiple of 2^-62 in (0, 1]");
    steps_.push_back({static_cast<std::int64_t>(factor), law == LatticeLaw::kGaussian
                                                             ? LatticeNoise::gaussian(step.noise)
                                                             : LatticeNoise::laplace(step.noise)});
  }
}

void NoisePath::advance(std::size_t release, RandomStream& random, std::span<std::int64_t> points) const {
  const Step& step = steps_[release];
  std::array<std::int64_t, 1024> noise;
  for (std::size_t done = 0; done < points.size(); done += noise.size()) {
    const auto part = points.subspan(done, std::min(noise.size(), points.size() - done));
    step.noise.fill(random, std::span(noise).first(part.size()));
    for (std::size_t i = 0; i < part.size(); ++i) part[i] = product(step.factor, part[i]) + noise[i];
  }
  sodium_memzero(noise.data(), sizeof(noise));
}

}  // namespace doeblin::sampling
