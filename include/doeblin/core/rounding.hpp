// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__FAST_MATH__)
#error "doeblin needs IEEE arithmetic: build without -ffast-math"
#endif

/// Elementary arithmetic rounded in a chosen direction. The hardware rounds to nearest; the rounding error of a sum,
/// product or quotient is itself computable, and its sign says whether the result must step outward. Exact results
/// therefore stay exact: add_up(1, 2) is 3, not the double after it.
namespace doeblin::rounding {

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// Half the distance of 1 to the next double: what rounding to nearest may add, relatively.
inline constexpr double kUnit = 0x1p-53;
inline constexpr double kMax = std::numeric_limits<double>::max();
inline constexpr double kSmallest = std::numeric_limits<double>::denorm_min();
/// Below this a product's error term may itself underflow, so its sign proves nothing; operands are then scaled up by
/// kScale, which is exact.
inline constexpr double kTrustedProduct = 0x1p-960;
inline constexpr double kScale = 0x1p500;

/// The smallest double above x; infinity and NaN stay.
inline double next_up(double x) {
  if (!(x < kInfinity)) return x;
  if (x == 0.0) return kSmallest;
  const auto bits = std::bit_cast<std::uint64_t>(x);
  return std::bit_cast<double>(x > 0.0 ? bits + 1 : bits - 1);
}

/// The largest double below x; minus infinity and NaN stay.
inline double next_down(double x) { return -next_up(-x); }

/// The larger of two upper ends; NaN if either is. (std::max(0.0, NaN) is 0: no bound would become a perfect one.)
inline double larger(double a, double b) { return std::isnan(b) || a < b ? b : a; }

/// Smallest double >= a + b. inf - inf is unbounded above.
inline double add_up(double a, double b) {
  const double sum = a + b;
  if (!std::isfinite(sum)) {
    if (std::isnan(sum)) return (std::isnan(a) || std::isnan(b)) ? sum : kInfinity;
    return (sum < 0.0 && std::isfinite(a) && std::isfinite(b)) ? -kMax : sum;
  }
  const double b_part = sum - a;
  const double error = (a - (sum - b_part)) + (b - b_part);
  return error > 0.0 ? next_up(sum) : sum;
}

/// Largest double <= a + b.
inline double add_down(double a, double b) { return -add_up(-a, -b); }

inline double sub_up(double a, double b) { return add_up(a, -b); }
inline double sub_down(double a, double b) { return add_down(a, -b); }

/// Smallest double >= a * b, with 0 * inf = 0 (the convention of interval arithmetic).
inline double mul_up(double a, double b) {
  if (a == 0.0 || b == 0.0) return (std::isnan(a) || std::isnan(b)) ? a * b : 0.0;
  const double product = a * b;
  if (!std::isfinite(product)) return (product < 0.0 && std::isfinite(a) && std::isfinite(b)) ? -kMax : product;
  if (product == 0.0) return (a > 0.0) == (b > 0.0) ? kSmallest : 0.0;
  const bool scaled = std::fabs(product) < kTrustedProduct;
  const double small = std::fabs(a) < std::fabs(b) ? a : b;
  const double large = std::fabs(a) < std::fabs(b) ? b : a;
  const double error = scaled ? std::fma(small * kScale, large, -(product * kScale)) : std::fma(a, b, -product);
  return error > 0.0 ? next_up(product) : product;
}

/// Largest double <= a * b.
inline double mul_down(double a, double b) { return -mul_up(-a, b); }

/// Smallest double >= a / b for b != 0; inf / inf is unbounded above.
inline double div_up(double a, double b) {
  if (a == 0.0) return std::isnan(b) ? b : 0.0;
  if (std::isinf(b)) return std::isinf(a) ? kInfinity : ((a > 0.0) == (b > 0.0) ? kSmallest : 0.0);
  const double quotient = a / b;
  if (!std::isfinite(quotient)) return (quotient < 0.0 && std::isfinite(a)) ? -kMax : quotient;
  if (quotient == 0.0) return (a > 0.0) == (b > 0.0) ? kSmallest : 0.0;
  // A tiny quotient has a < 2^64 |b|/2^1024, a tiny dividend with a larger quotient has b below 1: neither overflows.
  const double quotient_scale = std::fabs(quotient) < kTrustedProduct ? kScale : 1.0;
  const double divisor_scale = quotient_scale == 1.0 && std::fabs(a) < kTrustedProduct ? kScale : 1.0;
  const double remainder =
      std::fma(-(quotient * quotient_scale), b * divisor_scale, a * (quotient_scale * divisor_scale));
  return (b > 0.0 ? remainder > 0.0 : remainder < 0.0) ? next_up(quotient) : quotient;
}

/// Largest double <= a / b for b != 0.
inline double div_down(double a, double b) { return -div_up(-a, b); }

}  // namespace doeblin::rounding
