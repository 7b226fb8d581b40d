// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <vector>

#include <boost/math/special_functions/gamma.hpp>

/// Tests of samples against their law. Seeds are fixed, so a test passes always or never; kLeastChance makes a wrong
/// sampler fail and a right one pass for all but one seed in a million.
namespace doeblin::test {

inline constexpr double kLeastChance = 1e-6;

/// Pearson's statistic as the chance of a larger one; cells with small expectations are joined to the next.
inline double chi_square_chance(const std::vector<std::uint64_t>& counts, const std::vector<double>& probabilities) {
  double total = 0.0;
  for (const std::uint64_t count : counts) total += static_cast<double>(count);
  double statistic = 0.0;
  double seen = 0.0;
  double expected = 0.0;
  int cells = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    seen += static_cast<double>(counts[i]);
    expected += total * probabilities[i];
    if (expected < 10.0 && i + 1 < counts.size()) continue;
    if (expected > 0.0) statistic += (seen - expected) * (seen - expected) / expected, ++cells;
    seen = expected = 0.0;
  }
  if (cells < 2) return 1.0;
  return boost::math::gamma_q(0.5 * (cells - 1), 0.5 * statistic);
}

/// Kolmogorov's statistic against a continuous law, as the chance of a larger one.
inline double kolmogorov_chance(std::vector<double> sample, const std::function<double(double)>& below) {
  std::sort(sample.begin(), sample.end());
  const auto n = static_cast<double>(sample.size());
  double distance = 0.0;
  for (std::size_t i = 0; i < sample.size(); ++i) {
    const double truth = below(sample[i]);
    const auto before = static_cast<double>(i);
    distance = std::max({distance, truth - before / n, (before + 1.0) / n - truth});
  }
  const double scaled = (std::sqrt(n) + 0.12 + 0.11 / std::sqrt(n)) * distance;
  double chance = 0.0;
  for (int k = 1; k <= 100; ++k) chance += (k % 2 == 1 ? 2.0 : -2.0) * std::exp(-2.0 * k * k * scaled * scaled);
  return std::clamp(chance, 0.0, 1.0);
}

inline double normal_below(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); }

}  // namespace doeblin::test
