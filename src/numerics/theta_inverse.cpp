// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/theta_inverse.hpp"

#include <cmath>

#include "doeblin/numerics/solve.hpp"
#include "doeblin/numerics/theta.hpp"
#include "numerics/mills_kernel.hpp"

namespace doeblin::numerics {
namespace {

// log theta and its derivative in epsilon, -R(b)/(R(a) - R(b)).
struct Slope {
  double value;
  double derivative;
};

// Beyond this a, phi(a) is 0 or R(-a) has no meaning for a double.
constexpr double kFar = 38.0;

Slope estimate(double epsilon, double r) {
  const double m = epsilon / r;
  const double a = m - r / 2.0;
  const double b = m + r / 2.0;
  if (!(b < 0x1p500)) return {-rounding::kInfinity, -1.0};
  if (a < 0.0) {
    const bool is_close = m < mills_table::kEnd && r <= 2.0 * mills_table::kReach * (1.0 + kernel::cell_of(m).centre);
    if (!is_close) {
      // 1 - theta = phi(a) (R(-a) + R(b)).
      if (a < -kFar) return {0.0, 0.0};
      const double density = kernel::kInverseSqrtTwoPi * std::exp(-a * a / 2.0);
      const double tail = kernel::mills_value(b);
      const double theta = 1.0 - density * (kernel::mills_value(-a) + tail);
      return {std::log(theta), -density * tail / theta};
    }
  }
  double gap = 0.0;
  if (m < mills_table::kEnd && r <= 2.0 * mills_table::kReach * (1.0 + kernel::cell_of(m).centre)) {
    const auto& cell = kernel::cell_of(m);
    gap = r * kernel::mills_slope(cell, a - cell.centre, b - cell.centre);
  } else if (a > mills_table::kEnd) {
    // R(x) is 1/x - 1/x^3 + 3/x^5 here, so the difference is r/(a b) times a factor near 1.
    const double z = 1.0 / (a * b);
    const double sum = 1.0 / (a * a) + 1.0 / (b * b);
    gap = r * z * (1.0 - (sum + z) + 3.0 * (sum * sum - z * z + sum * z));
  } else {
    gap = kernel::mills_value(a) - kernel::mills_value(b);
  }
  const double tail = b < mills_table::kEnd ? kernel::mills_value(std::fabs(b)) : kernel::mills_asymptotic(b);
  return {-a * a / 2.0 - kernel::kHalfLogTwoPi + std::log(gap), -tail / gap};
}

}  // namespace

double log_theta_estimate(double epsilon, double r) {
  if (!(r > 0.0) || std::isinf(epsilon)) return -rounding::kInfinity;
  if (std::isinf(r)) return 0.0;
  const double value = estimate(epsilon, r).value;
  return value <= 0.0 ? value : (value > 0.0 ? 0.0 : -rounding::kInfinity);
}

namespace {

// Newton's method on log theta, which is concave: whatever the start, the second iterate is right of the solution, and
// from there the iterates only go left.
struct Approximate {
  double epsilon;
  double slope;
};

Approximate approximate_inverse(double log_delta, double mu, double hint) {
  // theta <= Q(a) <= e^{-a^2/2}: right of the solution.
  const double right = mu * mu / 2.0 + mu * std::sqrt(-2.0 * log_delta);
  double epsilon = hint > 0.0 && hint < right ? hint : right;
  double slope = -1.0;
  for (int i = 0; i < 60; ++i) {
    const Slope here = estimate(epsilon, mu);
    if (!std::isfinite(here.value) || !(here.derivative < 0.0)) {
      if (epsilon == right) break;
      epsilon = right;
      continue;
    }
    slope = here.derivative;
    double next = std::min(epsilon - (here.value - log_delta) / slope, right);
    if (!(next > 0.0)) next = epsilon / 2.0;
    // The next error is about the square of this one.
    const bool is_settled = std::fabs(next - epsilon) <= 1e-8 * epsilon;
    epsilon = next;
    if (is_settled) break;
  }
  return {epsilon, slope};
}

template <typename Lower, typename Upper>
Bracket inverse(double delta, const Bracket& r, double hint, const Lower& theta_low, const Upper& theta_high) {
  require(delta > 0.0 && delta <= 1.0, "delta", delta, "0 < delta <= 1");
  const auto both = [&](double epsilon) { return Bracket(theta_low(epsilon), theta_high(epsilon)); };
  const double mu = r.upper();
  const bool is_ordinary = mu > 1e-140 && mu < 1e70;
  const double log_delta = std::log(delta);
  // At 0 the answer is 0 unless theta is clearly larger.
  if (!is_ordinary || estimate(0.0, mu).value < log_delta + 1e-6)
    if (theta_high(0.0) <= delta) return {0.0, 0.0};
  if (!is_ordinary) return first_at_most(both, delta);
  const auto [epsilon, slope] = approximate_inverse(log_delta, mu, hint);
  // The estimate may be off by a few units of a^2 in log theta; the sides move out until they are certain.
  const double first_step = 0x1p-50 * epsilon + 2e-14 / std::fabs(slope);
  double upper = rounding::kInfinity;
  double lower = 0.0;
  double step = first_step;
  for (int i = 0; i < 30 && std::isinf(upper); ++i, step *= 4.0)
    if (theta_high(epsilon + step) <= delta) upper = epsilon + step;
  // An r that is smaller by w has its solution about w (epsilon/r + r/2 + 1) further left.
  step = first_step + 1.1 * (mu - r.lower()) * (epsilon / mu + mu / 2.0 + 1.0);
  for (int i = 0; i < 30 && lower == 0.0 && step < epsilon; ++i, step *= 4.0)
    if (theta_low(epsilon - step) > delta) lower = epsilon - step;
  if (std::isinf(upper) || !(lower <= upper)) return first_at_most(both, delta);
  return {lower, upper};
}

}  // namespace

Bracket theta_inverse(double delta, const Wide& r) {
  return inverse(
      delta, Bracket(r.hi), 0.0, [&](double epsilon) { return theta(epsilon, r).lower(); },
      [&](double epsilon) { return theta(epsilon, r).upper(); });
}

Bracket theta_inverse(double delta, const Bracket& r, double hint) {
  return inverse(
      delta, r, hint, [&](double epsilon) { return r.lower() > 0.0 ? theta(epsilon, Wide(r.lower())).lower() : 0.0; },
      [&](double epsilon) { return theta(epsilon, Wide(r.upper())).upper(); });
}

}  // namespace doeblin::numerics
