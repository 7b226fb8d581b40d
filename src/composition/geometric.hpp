// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <vector>

namespace doeblin {

/// e^{start}, e^{start + rate}, e^{start + 2 rate}, ...: a product per value, and an exponential every kBlock values so
/// that errors do not pile up.
class Geometric {
 public:
  /// On top of the rounding of the exponents themselves: kBlock products, each with a factor that is off by one unit.
  static constexpr double kRelativeError = 0x1p-53 * 4.0 * 32.0;

  /// A block changes by a factor e at most: a product must not carry an underflow to where the value is large again.
  Geometric(double rate, double start)
      : rate_(rate), start_(start), factor_(std::exp(rate)), block_(std::fabs(rate) * kBlock <= 1.0 ? kBlock : 1) {}

  double next() {
    if (index_ % block_ == 0)
      value_ = std::exp(start_ + rate_ * static_cast<double>(index_));
    else
      value_ *= factor_;
    ++index_;
    return value_;
  }

 private:
  static constexpr long kBlock = 32;

  double rate_;
  double start_;
  double factor_;
  long block_;
  double value_ = 0.0;
  long index_ = 0;
};

/// About log max_k mass_k e^{rate k}, within 1: what weights are to be divided by so that nothing overflows, and
/// nothing that matters underflows. Domain: masses that are 0 or at least 1e-300.
inline double log_peak(const std::vector<double>& masses, double rate) {
  double peak = -std::numeric_limits<double>::infinity();
  for (std::size_t k = 0; k < masses.size(); ++k)
    if (masses[k] > 0.0)
      peak = std::max(peak, std::numbers::ln2 * std::ilogb(masses[k]) + rate * static_cast<double>(k));
  return peak;
}

}  // namespace doeblin
