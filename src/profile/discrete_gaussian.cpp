// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/discrete_gaussian.hpp"

#include "doeblin/core/rounding.hpp"
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
using rounding::kUnit;

constexpr double kLargestSummedSigma = 3000.0;
// Integers up to here, and their neighbours, are doubles.
constexpr double kLargestInteger = 0x1p50;

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
  // The first m whose excess may be positive: where rounding hides the sign, the sums below count the term from 0 up.
  while (excess(m - 1.0).upper() > 0.0) --m;
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
  double sum_error = 0.0;
  double tail = 0.0;
  for (double k = k0;; ++k) {
    const double exponent = k * k * half_inverse;
    const double mass = std::exp(peak - exponent);
    const double gain = rounding::larger(0.0, -std::expm1(-(xi + (k - k0) * slope)));
    const double term = mass * gain - compensation;
    const double next = sum + term;
    compensation = (next - sum) - term;
    sum = next;
    // The exponent is off by 4 u of itself and of the peak, `gain` by the 4 u of its own argument.
    sum_error += mass * gain * kUnit * (6.0 * (exponent + peak) + 64.0);
    // The masses past k > 0 fall at least geometrically, with ratio e^{-(2k+1)/(2 sigma^2)}.
    if (k <= 0.0) continue;
    tail = mass / std::expm1((2.0 * k + 1.0) * half_inverse);
    if (tail <= sum * 0x1p-56 || tail == 0.0) break;
  }
  const double slack = sum_error * 1.01 + sum * 16 * kUnit;
  const Bracket scaled(sum - slack, (sum + slack + tail) * (1.0 + 16 * kUnit));
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
// Everything is divided by f(k0) when k0 > 0, where it may be tiny. k0 and xi may be intervals.
Bracket log_euler_maclaurin(const DiscreteGaussian& mechanism, const Bracket& k0, const Bracket& xi_raw,
                            double epsilon) {
  const double D = mechanism.sensitivity;
  const double sigma = mechanism.sigma;
  const bool divided = k0.lower() > 0.0;
  const Bracket xi = max(xi_raw, Bracket(0.0));
  const Bracket gain = -expm1(-xi);
  const Bracket a = k0 / sigma;
  const Bracket log_f0 = -(a * a) / 2.0;
  const Bracket offset = divided ? log_f0 : Bracket(0.0);
  const Bracket f0 = divided ? Bracket(1.0) : clamp(exp(log_f0), 0.0, 1.0);
  const Bracket loss = epsilon + xi;
  const Wide shift = numerics::ratio(D, sigma);
  const Bracket log_theta(numerics::log_theta(loss.upper(), shift).lower(),
                          numerics::log_theta(loss.lower(), shift).upper());
  const Bracket b = max((k0 + D) / sigma, Bracket(0.0));
  const Bracket mills(numerics::mills_ratio(b.upper()).lower(), numerics::mills_ratio(b.lower()).upper());
  const Bracket integral = sigma * (sqrt_two_pi() * exp(log_theta - offset) + f0 * gain * mills);
  const Bracket slope = f0 * (k0 * gain - D * exp(-xi)) / (Bracket(sigma) * sigma);

  const double c = std::max(std::fabs(a.lower()), std::fabs(a.upper())) + D / sigma + 1e-9;
  const double close = third_derivative_moment(a.lower(), c, sigma) * D / (sigma * sigma * sigma);
  const double full = (divided ? exp(-log_f0).upper() : 1.0) * 3.786;
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
  const double sigma = mechanism.sigma;
  if (D == 0.0 || std::isinf(epsilon.value())) return Bracket(0.0);
  // Where sigma^2 leaves the doubles: the total variation distance is at most D times the largest mass.
  if (sigma > 1e100) return {0.0, std::min(1.0, rounding::div_up(0.4 * D, sigma))};
  if (sigma < 1e-100) return {0.0, 1.0};
  const auto normalised = [&](const Bracket& log_sum) {
    return clamp(exp(log_sum - numerics::log(lattice_sum(sigma, Bracket(0.0)).at_zero)), 0.0, 1.0);
  };
  // The crossing point m without rounding to an integer; the sums start at the next one.
  const Bracket crossing = Bracket(epsilon.value()) * sigma * sigma / D + Bracket(D) / 2.0;
  // Pr[X >= k0] <= e^{-k0^2/(2 sigma^2)} for k0 = m - D >= 0, below the doubles past 40 sigma.
  if ((crossing - D).lower() > 40.0 * sigma + 1.0) return {0.0, rounding::kSmallest};
  if ((crossing - D).upper() + 1.0 < -40.0 * sigma - 1.0) return {1.0 - kUnit, 1.0};
  if (crossing.upper() > kLargestInteger) {
    const Bracket k0 = crossing + Bracket(0.0, 1.0) - D;
    const Bracket xi(0.0, rounding::div_up(D, (Bracket(sigma) * sigma).lower()));
    return normalised(log_euler_maclaurin(mechanism, k0, xi, epsilon.value()));
  }
  const Start start = start_of(mechanism, epsilon.value());
  const double k0 = start.m - D;
  if (sigma > kLargestSummedSigma)
    return normalised(log_euler_maclaurin(mechanism, Bracket(k0), start.xi, epsilon.value()));
  return normalised({log_direct_sum(mechanism, k0, start.xi.lower()).lower(),
                     log_direct_sum(mechanism, k0, start.xi.upper()).upper()});
}

Bracket rdp(const DiscreteGaussian& mechanism, Alpha alpha) {
  mechanism.validate();
  const double D = mechanism.sensitivity;
  if (D == 0.0) return Bracket(0.0);
  if (std::isinf(alpha.value())) return Bracket(rounding::kInfinity);
  const Wide shift = numerics::ratio(D, mechanism.sigma);
  const Bracket continuous = enclose(shift * shift) * alpha.value() / 2.0;
  // T has period 1 and is even: only the distance of alpha D from an integer matters.
  const Wide product = Wide(alpha.value()) * Wide(D);
  Bracket offset(0.0, 1.0);
  if (product.hi < kLargestInteger) {
    const Bracket fraction = enclose(product - Wide(std::round(product.hi)));
    const double far = std::max(std::fabs(fraction.lower()), std::fabs(fraction.upper()));
    const double near = std::min(std::fabs(fraction.lower()), std::fabs(fraction.upper()));
    offset = {fraction.contains(0.0) ? 0.0 : near, far};
  }
  const Bracket s = Bracket(alpha.value()) - 1.0;
  const Bracket shortfall = lattice_sum(mechanism.sigma, offset).log_shortfall / s;
  return max(continuous - shortfall, Bracket(0.0));
}

// Losses are D (2z - D)/(2 sigma^2), z an integer.
ProfileTraits profile_traits(const DiscreteGaussian& mechanism) {
  const double D = mechanism.sensitivity;
  return {.loss_step = D / (mechanism.sigma * mechanism.sigma) / (is_whole(D / 2.0) ? 1.0 : 2.0)};
}

}  // namespace doeblin
