// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/theta.hpp"

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "numerics/theta_crossing.hpp"

namespace doeblin::numerics {
namespace {

using kernel::Crossing;
using kernel::crossing;
using kernel::half_density;
using kernel::is_fine;
using kernel::kLargestFineR;
using kernel::kUnit;
using kernel::mills_gap;
using kernel::MillsGap;
using rounding::kSmallest;

// phi(40) < 1e-347: beyond this |a| theta is below every positive double, or within one unit of 1.
constexpr double kFarTail = 40.0;

// The product factor root^2 / scale as a bracket, when it may be subnormal: the last multiplication is made 2^600
// times larger, and the result counted in units of the smallest double.
Bracket tiny_product(double factor, double root, double relative_error, double scale) {
  const double large = (factor * root * 0x1p600) * root / scale;
  const double units_low = std::floor(std::ldexp(large * (1.0 - relative_error), 1074 - 600));
  const double units_high = std::ceil(std::ldexp(large * (1.0 + relative_error), 1074 - 600));
  return {std::ldexp(units_low, -1074), std::ldexp(std::max(units_high, 1.0), -1074)};
}

// Either from the ends of r (theta increases with r), or, where r is too large for the fine path, from
// Q(a) - R(b) phi(a) <= theta <= Q(a) with R(b) phi(a) <= 0.4/b.
template <typename Fine>
Bracket coarse_theta(double epsilon, const Wide& r, const Fine& fine) {
  const Bracket ends = enclose(r);
  if (ends.upper() <= kLargestFineR) {
    const double low = std::max(ends.lower(), 0.0);
    return {low == 0.0 ? 0.0 : fine(epsilon, Wide(low)).lower(), fine(epsilon, Wide(ends.upper())).upper()};
  }
  if (ends.lower() <= kLargestFineR)
    return {ends.lower() <= 0.0 ? 0.0 : fine(epsilon, Wide(ends.lower())).lower(), 1.0};
  const auto a_at = [&](double end) { return Bracket(epsilon) / end - Bracket(end) / 2.0; };
  const double low = normal_tail(a_at(ends.lower()).upper()).lower();
  const double high = std::isinf(ends.upper()) ? 1.0 : normal_tail(a_at(ends.upper()).lower()).upper();
  return {std::max(0.0, rounding::sub_down(low, 0.4 / (ends.lower() / 2.0))), high};
}

// R(a) - R(b) for a > kFarTail by the asymptotic series of both: with A = 1/a, B = 1/b it is
//   (A - B) sum_k (-1)^k (2k-1)!! h_{2k}(A, B),   h_n = sum_{i <= n} A^i B^{n-i},   A - B = r/(a b).
// The series envelops the difference, because e^{-at} - e^{-bt} >= 0 multiplies the enveloping series of e^{-t^2/2};
// at a >= 40 the term k = 7 is below 2e-16.
Bracket log_asymptotic_gap(const Crossing& x, double r) {
  const double big = 1.0 / x.a;
  const double small = 1.0 / x.b;
  double homogeneous = 1.0;
  double small_power = 1.0;
  double double_factorial = 1.0;
  double sum = 0.0;
  for (int k = 1; k <= 6; ++k) {
    double_factorial *= 2 * k - 1;
    for (int step = 0; step < 2; ++step) {
      small_power *= small;
      homogeneous = homogeneous * big + small_power;
    }
    sum += (k % 2 == 1 ? -double_factorial : double_factorial) * homogeneous;
  }
  const Bracket series(sum - 0x1p-51, sum + 0x1p-51);
  const auto relative = [](double v) { return Bracket(v * (1.0 - 4 * kUnit), v * (1.0 + 4 * kUnit)); };
  return log(relative(r)) - log(relative(x.a)) - log(relative(x.b)) + log1p(series);
}

// 1 - theta = phi(a) (R(-a) + R(b)) for a < 0: two positive terms, 16 u in all. An error of r moves theta by at most
// phi(a) |dr| <= |dr|.
Bracket outside_mass(const Crossing& x, const Wide& r, double root, double correction) {
  const double mass = kernel::kInverseSqrtTwoPi * root * correction *
                      (kernel::mills_value(-x.a, -x.a_low) + kernel::mills_value(x.b, x.b_low)) * root;
  const double slack = mass * 16 * kUnit + r.error + kSmallest;
  return {std::max(0.0, mass - slack), mass + slack};
}

Bracket fine_theta(double epsilon, const Wide& r) {
  const Crossing x = crossing(epsilon, r);
  if (x.a > kFarTail) return {0.0, kSmallest};
  if (x.a < -kFarTail) return {1.0 - kUnit, 1.0};
  const auto [root, correction] = half_density(x);
  // A subnormal r would lose digits in the product with the slope.
  const double scale = r.hi < 0x1p-900 ? 0x1p300 : 1.0;
  const MillsGap gap = mills_gap(x, r.hi * scale);
  if (gap.value < 0.0) {
    const Bracket outside = outside_mass(x, r, root, correction);
    return {std::max(0.0, rounding::sub_down(1.0, outside.upper())),
            std::min(1.0, rounding::sub_up(1.0, outside.lower()))};
  }
  // d log theta / dr = 1/(R(a) - R(b)); the factor 2 covers the curvature, 12 u the remaining roundings.
  const double relative_error =
      gap.relative_error + 12 * kUnit + (r.error == 0.0 ? 0.0 : 2.0 * (r.error * scale) / gap.value);
  const double factor = kernel::kInverseSqrtTwoPi * correction * gap.value;
  const double value = factor * root * root;
  if (value < 0x1p-1000 || scale > 1.0) return tiny_product(factor, root, relative_error, scale);
  return {value * (1.0 - relative_error), std::min(1.0, value * (1.0 + relative_error))};
}

Bracket fine_log_theta(double epsilon, const Wide& r) {
  const Crossing x = crossing(epsilon, r);
  if (x.a < -kFarTail) {
    // theta >= 1 - phi(a) (R(-a) + R(b)) and R(b) <= R(-a) because b >= -a.
    return {log1p(-(2.0 * exp(log_normal_tail(-x.a * (1.0 - 2 * kUnit))))).lower(), 0.0};
  }
  const auto spread = [](double v, double relative) { return Bracket(v - v * relative, v + v * relative); };
  const MillsGap gap = x.a > kFarTail ? MillsGap{0.0, 0.0} : mills_gap(x, r.hi);
  if (gap.value < 0.0) {
    const auto [root, correction] = half_density(x);
    return log1p(-clamp(outside_mass(x, r, root, correction), 0.0, 1.0));
  }
  const Bracket log_gap = x.a > kFarTail ? log_asymptotic_gap(x, r.hi)
                                         : log(spread(gap.value, gap.relative_error + 2.0 * r.error / gap.value));
  // a_low is a difference that may cancel: its absolute error is that of the double-doubles it comes from. An error of
  // r moves a by (1/2 + m/r) |dr|.
  const double low_error = 0x1p-98 * (x.m + r.hi);
  const double moved = r.error == 0.0 ? 0.0 : r.error * (1.0 + x.m / r.hi) * 1.01;
  if (!std::isfinite(moved + low_error)) return {-rounding::kInfinity, 0.0};
  const Bracket a = Bracket(x.a) + x.a_low + Bracket(-low_error, low_error) + Bracket(-moved, moved);
  const Bracket half_log_two_pi(kernel::kHalfLogTwoPi, rounding::next_up(kernel::kHalfLogTwoPi));
  return min(log_gap - a * a / 2.0 - half_log_two_pi, Bracket(0.0));
}

template <typename Fine>
Bracket theta_or_coarse(double epsilon, const Wide& r, const Fine& fine) {
  return is_fine(r) ? fine(epsilon, r) : coarse_theta(epsilon, r, fine);
}

void check_arguments(double epsilon, const Wide& r) {
  require(epsilon >= 0.0, "epsilon", epsilon, "epsilon >= 0");
  require(r.hi >= 0.0, "r", r.hi, "r >= 0");
}

}  // namespace

Bracket theta(double epsilon, const Wide& r) {
  check_arguments(epsilon, r);
  if (r.is_zero() || std::isinf(epsilon)) return Bracket(0.0);
  return theta_or_coarse(epsilon, r, fine_theta);
}

Bracket log_theta(double epsilon, const Wide& r) {
  check_arguments(epsilon, r);
  if (r.is_zero() || std::isinf(epsilon)) return Bracket(-rounding::kInfinity);
  if (is_fine(r) && epsilon / r.hi < 0x1p500 && r.hi > 0x1p-900) return fine_log_theta(epsilon, r);
  return log(theta(epsilon, r));
}

}  // namespace doeblin::numerics
