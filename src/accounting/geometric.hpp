// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

namespace doeblin {

/// e^{start}, e^{start + rate}, e^{start + 2 rate}, ...: a product per value, and an exponential every kBlock values so
/// that errors do not pile up.
class Geometric {
 public:
  /// On top of the rounding of the exponents themselves: kBlock products, each with a factor that is off by one unit.
  static constexpr double kRelativeError = 0x1p-53 * 4.0 * 32.0;

  Geometric(double rate, double start) : rate_(rate), start_(start), factor_(std::exp(rate)) {}

  double next() {
    if (index_ % kBlock == 0)
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
  double value_ = 0.0;
  long index_ = 0;
};

}  // namespace doeblin
