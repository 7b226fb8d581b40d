// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

#include "numerics/mills_table.hpp"

/// Plain-double kernels of the Mills ratio with stated relative errors; u = 2^-53 throughout.
namespace doeblin::numerics::kernel {

inline constexpr double kUnit = 0x1p-53;
inline constexpr double kInverseSqrtTwoPi = 0x1.9884533d43651p-2;
inline constexpr double kHalfLogTwoPi = 0x1.d67f1c864beb5p-1;

/// The cell that holds x, 0 <= x < kEnd: the leading bits of 1 + x.
inline const mills_table::Cell& cell_of(double x) {
  const auto bits = std::bit_cast<std::uint64_t>(1.0 + x);
  const auto index = (bits >> (52 - mills_table::kCellBits)) - (std::uint64_t{1023} << mills_table::kCellBits);
  return mills_table::kTable[index];
}

/// R(x) = (1/x) sum_k (-1)^k (2k-1)!! / x^{2k}; the terms envelop R, and at x >= 63 the first omitted one,
/// 10395/x^12, is below 3e-18.
inline double mills_asymptotic(double x) {
  const double z = 1.0 / (x * x);
  return (1.0 - z * (1.0 - z * (3.0 - z * (15.0 - z * (105.0 - z * 945.0))))) / x;
}

/// R(x + low) for x >= 0 and |low| <= ulp(x). Relative error <= kValueError: the leading coefficient and the last
/// addition cost u each, |t c_1/c_0| <= 1/25 damps everything else.
inline constexpr double kValueError = 4 * kUnit;
inline double mills_value(double x, double low = 0.0) {
  if (x >= mills_table::kEnd) return mills_asymptotic(x);
  const auto& cell = cell_of(x);
  const double t = (x - cell.centre) + low;
  double sum = cell.coefficient[mills_table::kValueDegree];
  for (int j = mills_table::kValueDegree - 1; j >= 0; --j) sum = sum * t + cell.coefficient[j];
  return sum;
}

/// (R(a) - R(b))/(b - a) for two points at u = a - centre and v = b - centre, both within reach of the cell, by
/// dividing the polynomial by (x - u) and evaluating the quotient at v.
///
/// Relative error <= kSlopeError: 8u from rounding (the terms decay like j (1/8)^j and |.|-sum / sum <= 1.7) and
/// kSlopeTruncation < 5u.
inline constexpr double kSlopeError = 16 * kUnit;
inline double mills_slope(const mills_table::Cell& cell, double u, double v) {
  double quotient = cell.coefficient[mills_table::kDegree];
  double sum = quotient;
  for (int j = mills_table::kDegree - 1; j >= 1; --j) {
    quotient = quotient * u + cell.coefficient[j];
    sum = sum * v + quotient;
  }
  return -sum;
}

}  // namespace doeblin::numerics::kernel
