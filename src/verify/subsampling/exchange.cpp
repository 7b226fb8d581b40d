// SPDX-License-Identifier: Apache-2.0
#include "verify/subsampling/exchange.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::verify {
namespace {

// Of what there is, a share is left for rounding.
constexpr double kShare = 1.0 - 1e-13;
constexpr double kFarthestPoint = 0x1p60;

}  // namespace

std::vector<Ball> count_levels(const Known& base, const Ball& epsilon, const std::vector<Ball>& weights,
                               const Ball& none) {
  if (!base.log_ratio) return {};
  const double least = epsilon.upper();
  const Ball there_is = none * -expm1(-epsilon);
  const double limit = there_is.middle() * kShare;
  const auto used = [&](double z) {
    double sum = 0.0;
    for (std::size_t k = 1; k <= weights.size(); ++k)
      sum += weights[k - 1].middle() * std::expm1(std::max(0.0, base.log_ratio(z, static_cast<double>(k)) - least));
    return sum;
  };
  double low = -kFarthestPoint, high = kFarthestPoint;
  while (true) {
    const double middle = 0.5 * (low + high);
    if (middle <= low || middle >= high) break;
    (used(middle) <= limit ? low : high) = middle;
  }
  std::vector<Ball> levels;
  Ball sum(0);
  for (std::size_t k = 1; k <= weights.size(); ++k) {
    levels.emplace_back(std::max(least, base.log_ratio(low, static_cast<double>(k))));
    sum = sum + weights[k - 1] * expm1(levels.back() - epsilon);
  }
  return certainly_at_most(sum, there_is) ? levels : std::vector<Ball>();
}

}  // namespace doeblin::verify
