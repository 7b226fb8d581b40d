// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/numerics/wide.hpp"
#include "numerics/mills_kernel.hpp"

/// What theta at one epsilon and at many have in common: the crossing point a and the factors of phi(a) (R(a) - R(b)).
namespace doeblin::numerics::kernel {

// The double-double error of a, 2^-98 (m + r), stays below 2^-66 up to here.
inline constexpr double kLargestFineR = 0x1p30;
// With r known this well, its uncertainty is a first-order correction.
inline constexpr double kFineRelativeError = 0x1p-90;

inline bool is_fine(const Wide& r) { return r.error <= kFineRelativeError * r.hi && r.hi <= kLargestFineR; }

// a = epsilon/r - r/2 and b = epsilon/r + r/2, each as hi + lo, and their middle m.
struct Crossing {
  double a, a_low;
  double b, b_low;
  double m;
};

inline Crossing crossing(double epsilon, const Wide& r) {
  // Both scaled by the same power of two, so that the remainder below cannot underflow.
  const double scale = r.hi < 0x1p-500 ? 0x1p450 : 1.0;
  const double m = (epsilon * scale) / (r.hi * scale);
  // Past any use of it; also keeps infinities out of the remainder.
  if (!(m < 0x1p500)) return {m, 0.0, m, 0.0, m};
  const double remainder = std::fma(-m, r.hi * scale, epsilon * scale) - m * (r.lo * scale);
  const double m_low = remainder / (r.hi * scale);
  const auto a = two_sum(m, -r.hi / 2.0);
  const auto b = two_sum(m, r.hi / 2.0);
  const auto a_normal = two_sum(a.sum, a.error + (m_low - r.lo / 2.0));
  const auto b_normal = two_sum(b.sum, b.error + (m_low + r.lo / 2.0));
  return {a_normal.sum, a_normal.error, b_normal.sum, b_normal.error, m};
}

// R(a) - R(b), or where a < 0 and the pair is far apart nothing: `value` < 0.
struct MillsGap {
  double value;
  double relative_error;
};

inline MillsGap mills_gap(const Crossing& x, double r) {
  if (x.m < mills_table::kEnd) {
    const auto& cell = cell_of(x.m);
    if (r <= 2.0 * mills_table::kReach * (1.0 + cell.centre)) {
      const double u = (x.a - cell.centre) + x.a_low;
      const double v = (x.b - cell.centre) + x.b_low;
      return {r * mills_slope(cell, u, v), kSlopeError + 4 * kUnit};
    }
  }
  if (x.a < 0.0) return {-1.0, 0.0};
  // Out of reach means R(a) - R(b) > R(a)/8, so cancellation costs at most a factor 16.
  return {mills_value(x.a, x.a_low) - mills_value(x.b, x.b_low), 16 * kValueError};
}

// e^{-a^2/4}, whose square cannot underflow early, and the relative correction that a^2's rounding and a's low part
// ask for.
struct HalfDensity {
  double root;
  double correction;
};

inline HalfDensity half_density(const Crossing& x) {
  const double square = x.a * x.a;
  const double low = std::fma(x.a, x.a, -square) + 2.0 * x.a * x.a_low;
  return {std::exp(-square / 4.0), 1.0 - low / 2.0};
}

}  // namespace doeblin::numerics::kernel
