// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "doeblin/core/bracket.hpp"

namespace doeblin::numerics {

/// A real number known to about 100 bits: it lies within `error` of hi + lo, where |lo| <= ulp(hi)/2.
///
/// A noise level such as 1/sigma is rarely a double, and a guarantee can depend on it 1e4 times more strongly than
/// on its own rounding error. Parameters are therefore kept this wide until the last step.
struct Wide {
  double hi = 0.0;
  double lo = 0.0;
  double error = 0.0;

  constexpr Wide() = default;
  /// Exactly x.
  explicit constexpr Wide(double x) : hi(x) {}
  constexpr Wide(double hi_part, double lo_part, double error_bound) : hi(hi_part), lo(lo_part), error(error_bound) {}

  [[nodiscard]] bool is_zero() const { return hi == 0.0 && lo == 0.0 && error == 0.0; }
};

/// a + b = sum + error, exactly, unless the sum overflows.
struct SumAndError {
  double sum;
  double error;
};
inline SumAndError two_sum(double a, double b) {
  const double sum = a + b;
  const double b_part = sum - a;
  return {sum, (a - (sum - b_part)) + (b - b_part)};
}

/// numerator / denominator, for finite numerator >= 0 and denominator > 0. A quotient that overflows has an infinite
/// `hi`; calculating with it gives an infinite `error`, a value of which nothing is known.
[[nodiscard]] Wide ratio(double numerator, double denominator);
[[nodiscard]] Wide operator+(const Wide& x, const Wide& y);
[[nodiscard]] Wide operator-(const Wide& x);
[[nodiscard]] Wide operator-(const Wide& x, const Wide& y);
[[nodiscard]] Wide operator*(const Wide& x, const Wide& y);
[[nodiscard]] Wide operator*(const Wide& x, double y);
/// Domain: x >= 0.
[[nodiscard]] Wide sqrt(const Wide& x);

/// The doubles that enclose x.
[[nodiscard]] Bracket enclose(const Wide& x);
/// The doubles that enclose x - y.
[[nodiscard]] Bracket difference(const Wide& x, double y);

}  // namespace doeblin::numerics
