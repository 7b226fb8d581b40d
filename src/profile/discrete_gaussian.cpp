// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/discrete_gaussian.hpp"

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin {
namespace {

using numerics::exp;
using numerics::expm1;
using numerics::Wide;

constexpr double kUnit = 0x1p-53;
constexpr double kLargestSummedSigma = 3000.0;

Bracket pi() { return {0x1.921fb54442d18p+1, 0x1.921fb54442d19p+1}; }

Bracket sqrt_two_pi() { return numerics::sqrt(2.0 * pi()); }

// T(0) = sum_x exp(-x^2/(2 sigma^2)), and log(T(0)/T(c)) >= 0 at an offset 0 <= c < 1.
struct LatticeSum {
  Bracket at_zero;
  Bracket log_shortfall;
};

LatticeSum lattice_sum(double sigma, const Bracket& c) {
  if (sigma >= 1.0) {
    // Poisson summation: T(c) = sqrt(2 pi) sigma (1 + 2 sum_k e^{-2 pi^2 sigma^2 k^2} cos(2 pi k c)); at sigma >= 1
    // the terms k >= 3 are together below e^-177 and below e^-90 of the first.
    const Bracket exponent = 2.0 * pi() * pi() * (Bracket(sigma) * sigma);
    const Bracket first = 2.0 * exp(-exponent);
    const Bracket second = 2.0 * exp(-4.0 * exponent);
    const auto versine = [&](double k) {
      if (c.upper() == 0.0) return Bracket(0.0);
      const double x = 1.0 - std::cos(2.0 * 3.141592653589793 * k * c.middle());
      const double slack = 8.0 * k * (c.width() + 0x1p-50);
      return clamp(Bracket(x - slack, x + slack), 0.0, 2.0);
    };
    const Bracket rest = first * Bracket(0.0, 1e-30);
    const Bracket total = 1.0 + first + second + rest;
    const Bracket missing = (first * versine(1.0) + second * versine(2.0) + 2.0 * rest) / total;
    return {sqrt_two_pi() * sigma * total, -numerics::log1p(-missing)};
  }
  // Below sigma = 1 the terms |x - c| >= 40 are together below e^-790.
  const auto direct = [sigma](const Bracket& offset) {
    Bracket sum(0.0, 1e-300);
    for (double x = -40.0; x <= 40.0; ++x) {
      const Bracket scaled = (x - offset) / sigma;
      sum = sum + exp(-(scaled * scaled) / 2.0);
    }
    return sum;
  };
  const Bracket at_zero = direct(Bracket(0.0));
  return {at_zero, max(numerics::log(at_zero) - numerics::log(direct(c)), Bracket(0.0))};
}

// Where the sums start: k0 = m - D, and the excess xi of the loss at m over eps, in (0, D/sigma^2] up to rounding.
struct Start {
  double m;
  Bracket xi;
};

Start start_of(const DiscreteGaussian& mechanism, double epsilon) {
  const double D = mechanism.sensitivity;
  const Wide twice_variance = Wide(mechanism.sigma) * Wide(mechanism.sigma) * 2.0;
  const Wide scaled_epsilon = twice_variance * epsilon;
  // xi = (D (2m - D) - 2 sigma^2 eps)/(2 sigma^2), the numerator in double-double.
  const auto excess = [&](double m) {
    const Wide numerator = Wide(D) * Wide(2.0 * m - D) - scaled_epsilon;
    return enclose(numerator) / enclose(twice_variance);
  };
  double m = std::floor(scaled_epsilon.hi / 2.0 / D + D / 2.0) + 1.0;
  while (excess(m - 1.0).lower() > 0.0) --m;
  while (excess(m).upper() <= 0.0) ++m;
  return {m, excess(m)};
}

// log of sum_{k >= k0} e^{-k^2/(2 sigma^2)} (1 - e^{-xi - (k - k0) D/sigma^2})_+ with its relative error.
Bracket log_direct_sum(const DiscreteGaussian& mechanism, double k0, double xi) {
  const double half_inverse = 0.5 / (mechanism.sigma * mechanism.sigma);
  const double slope = 2.0 * half_inverse * mechanism.sensitivity;
  const double peak = k0 > 0.0 ? k0 * k0 * half_inverse : 0.0;
  double sum = 0.0;
  double compensation = 0.0;
  double tail = 0.0;
  for (double k = k0;; ++k) {
    const double mass = std::exp(peak - k * k * half_inverse);
    const double gain = std::max(0.0, -std::expm1(-(xi + (k - k0) * slope)));
    const double term = mass * gain - compensation;
    const double next = sum + term;
    compensation = (next - sum) - term;
    sum = next;
    // The masses past k > 0 fall at least geometrically, with ratio e^{-(2k+1)/(2 sigma^2)}.
    if (k <= 0.0) continue;
    tail = mass / std::expm1((2.0 * k + 1.0) * half_inverse);
    if (tail <= sum * 0x1p-56 || tail == 0.0) break;
  }
  // A term of exponent E is off by about 4 E u, and terms matter only while E <= peak + 40. `gain` is relative to its
  // own argument, whose rounding is 4 u.
  const double relative = kUnit * (6.0 * (peak + 50.0) + 64.0);
  const Bracket scaled(sum * (1.0 - relative), (sum + tail) * (1.0 + relative));
  const Bracket offset = Bracket(peak) * Bracket(1.0 - 4 * kUnit, 1.0 + 4 * kUnit);
  return numerics::log(max(scaled, Bracket(0.0))) - offset;
}

// int_0^inf of 3 + 3 Y^2 + (x + 1)(3 Y + Y^3)/sigma against f(k0 + x)/scale, in units of sigma, Y <= c + s, s =
// x/sigma; scale is f(k0) for a > 0 and 1 otherwise. For a > 0 the moments of e^{-a s - s^2/2} are at most
// min(j!/a^{j+1}, their value at a = 0); otherwise s^j <= 2^{j-1} (|z|^j + |a|^j) under a full Gaussian in z = s + a.
double third_derivative_moment(double a, double c, double sigma) {
  double moments[5] = {1.2534, 1.0001, 1.2534, 2.0001, 3.7601};
  if (a > 0.0) {
    double bound = 1.0 / a;
    for (int j = 0; j < 5; bound *= (j + 1) / a, ++j) moments[j] = std::min(moments[j], bound * 1.0001);
  } else {
    constexpr double kAbsoluteMoments[5] = {1.0, 0.798, 1.0, 1.596, 3.0};
    for (int j = 0; j < 5; ++j)
      moments[j] = 2.5067 * std::exp2(std::max(0, j - 1)) * (kAbsoluteMoments[j] + std::pow(-a, j));
  }
  const double c2 = c * c, c3 = c2 * c;
  return (3.0 + 6.0 * c2) * moments[0] + 9.0 * moments[2] + (3.0 * c + 4.0 * c3) * moments[1] + 4.0 * moments[4] +
         ((3.0 * c + 4.0 * c3) * moments[0] + 3.0 * moments[1] + 4.0 * moments[3]) / sigma;
}

// The same sum S = sum_{j >= 0} g(j), g(x) = f(k0 + x) - e^eps f(m + x), f(k) = e^{-k^2/(2 sigma^2)}, by
// Euler-Maclaurin: S = int g + g(0)/2 - g'(0)/12 + R with |R| <= (sqrt(3)/216) int |g'''|. With e^{eps + xi} =
// f(k0)/f(m) the three terms are
//   int g   = sigma (sqrt(2 pi) theta_{eps + xi}(D/sigma) + f(k0) (1 - e^{-xi}) R(m/sigma))
//   g(0)/2  = f(k0) (1 - e^{-xi})/2
//   -g'(0)  = f(k0) (k0 (1 - e^{-xi}) - D e^{-xi})/sigma^2
// and there are two bounds for g''', of which the first knows how close the two parts are:
//   |g'''| <= f(y) D/sigma^4 [3 + 3 Y^2 + (x + 1)(3 Y + Y^3)/sigma], y = k0 + x, Y = (|y| + D)/sigma, because
//             f''' = f (3y/sigma^4 - y^3/sigma^6) and 1 - e^{-xi - x D/sigma^2} <= (x + 1) D/sigma^2;
//   int |g'''| <= (3.786 + f(k0) (b^2 + 3))/sigma^2, b = m/sigma: the total variations of f'' and of e^eps f'' past m.
// Everything is divided by f(k0) when k0 > 0, where it may be tiny.
Bracket log_euler_maclaurin(const DiscreteGaussian& mechanism, double k0, const Bracket& xi_raw, double epsilon) {
  const double D = mechanism.sensitivity;
  const double sigma = mechanism.sigma;
  const Bracket xi = max(xi_raw, Bracket(0.0));
  const Bracket gain = -expm1(-xi);
  const Bracket a = Bracket(k0) / sigma;
  const Bracket log_f0 = -(a * a) / 2.0;
  const Bracket offset = k0 > 0.0 ? log_f0 : Bracket(0.0);
  const Bracket f0 = k0 > 0.0 ? Bracket(1.0) : exp(log_f0);
  const Bracket loss = epsilon + xi;
  const Wide shift = numerics::ratio(D, sigma);
  const Bracket log_theta(numerics::log_theta(loss.upper(), shift).lower(),
                          numerics::log_theta(loss.lower(), shift).upper());
  const Bracket b = Bracket(k0 + D) / sigma;
  const Bracket mills(numerics::mills_ratio(b.upper()).lower(), numerics::mills_ratio(b.lower()).upper());
  const Bracket integral = sigma * (sqrt_two_pi() * exp(log_theta - offset) + f0 * gain * mills);
  const Bracket slope = f0 * (k0 * gain - D * exp(-xi)) / (Bracket(sigma) * sigma);

  const double start = a.middle();
  const double c = std::fabs(start) + D / sigma + 1e-9;
  const double close = third_derivative_moment(start, c, sigma) * D / (sigma * sigma * sigma);
  const double full = (k0 > 0.0 ? exp(-log_f0).upper() : 1.0) * 3.786;
  const double apart = (full + f0.upper() * (b.upper() * b.upper() + 3.0)) / (sigma * sigma);
  const double remainder = 0.00803 * std::min(close, apart);
  const Bracket total = integral + f0 * gain / 2.0 + slope / 12.0 + Bracket(-remainder, remainder);
  return numerics::log(max(total, Bracket(0.0))) + offset;
}

}  // namespace

void DiscreteGaussian::validate() const {
  require_noise("sigma", sigma);
  require_integer_sensitivity(sensitivity);
}

Bracket delta(const DiscreteGaussian& mechanism, Epsilon epsilon) {
  mechanism.validate();
  const double D = mechanism.sensitivity;
  if (D == 0.0 || std::isinf(epsilon.value())) return Bracket(0.0);
  // Far outside, in either direction, the continuous tail bound decides: k0 >= 40 sigma.
  const double sigma = mechanism.sigma;
  const double k_estimate = epsilon.value() * sigma / D * sigma - D / 2.0;
  if (k_estimate > 40.0 * sigma + 2.0) return {0.0, rounding::kSmallest};
  if (sigma * sigma < 1e-280 || !std::isfinite(sigma * sigma)) return {0.0, 1.0};
  const Start start = start_of(mechanism, epsilon.value());
  const double k0 = start.m - D;
  // Pr[X >= k0] <= e^{-k0^2/(2 sigma^2)} for k0 >= 0.
  if (k0 > 40.0 * sigma + 1.0) return {0.0, rounding::kSmallest};
  if (k0 < -40.0 * sigma - 1.0) return {1.0 - kUnit, 1.0};
  const Bracket log_sum = sigma <= kLargestSummedSigma
                              ? Bracket(log_direct_sum(mechanism, k0, start.xi.lower()).lower(),
                                        log_direct_sum(mechanism, k0, start.xi.upper()).upper())
                              : log_euler_maclaurin(mechanism, k0, start.xi, epsilon.value());
  return clamp(exp(log_sum - numerics::log(lattice_sum(sigma, Bracket(0.0)).at_zero)), 0.0, 1.0);
}

Bracket rdp(const DiscreteGaussian& mechanism, Alpha alpha) {
  mechanism.validate();
  const double D = mechanism.sensitivity;
  if (D == 0.0) return Bracket(0.0);
  if (std::isinf(alpha.value())) return Bracket(rounding::kInfinity);
  const Wide shift = numerics::ratio(D, mechanism.sigma);
  const Bracket continuous = enclose(shift * shift) * alpha.value() / 2.0;
  // T has period 1: only the fraction of alpha D matters.
  const Wide product = Wide(alpha.value()) * Wide(D);
  const double whole = std::floor(product.hi);
  const Bracket fraction = enclose(product - Wide(whole));
  const Bracket s = Bracket(alpha.value()) - 1.0;
  const Bracket shortfall = lattice_sum(mechanism.sigma, max(fraction, Bracket(0.0))).log_shortfall / s;
  return max(continuous - shortfall, Bracket(0.0));
}

ProfileTraits profile_traits(const DiscreteGaussian&) { return {}; }

}  // namespace doeblin
