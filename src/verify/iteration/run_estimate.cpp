// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_estimate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace doeblin::verify {
namespace {

using Real = long double;

constexpr Real kRootHalf = 0.70710678118654752440084436210485L;
constexpr Real kLogRootTwoPi = 0.91893853320467274178032973640562L;
constexpr Real kRootHalfPi = 1.25331413731550025120788264240552L;
constexpr Real kFar = 30.0L;

// 1/(x + 2/(x + 3/(x + ...))), so that the Mills ratio is 1/(x + this).
Real fraction(Real x) {
  Real value = 0.0L;
  for (int k = 40; k >= 2; --k) value = static_cast<Real>(k) / (x + value);
  return 1.0L / (x + value);
}

Real mills(Real x) {
  if (x < kFar) return kRootHalfPi * std::exp(x * x / 2.0L) * std::erfc(x * kRootHalf);
  return 1.0L / (x + fraction(x));
}

// 1 - x R(x) = -R'(x)
Real mills_fall(Real x) {
  if (x < kFar) return 1.0L - x * mills(x);
  const Real k = fraction(x);
  return k / (x + k);
}

}  // namespace

double estimate_log_theta(double epsilon, double level) {
  if (level == 0.0 || std::isinf(epsilon)) return -std::numeric_limits<double>::infinity();
  if (std::isinf(level)) return 0.0;
  const Real x = epsilon, mu = level;
  const Real a = x / mu - mu / 2.0L, b = a + mu;
  const Real log_density = -a * a / 2.0L - kLogRootTwoPi;
  // Far to the left nothing cancels: the level is above 2 there.
  if (a < -1.0L)
    return static_cast<double>(std::log(std::erfc(a * kRootHalf) / 2.0L - std::exp(log_density) * mills(b)));
  const Real at_a = mills(a);
  Real fall = at_a - mills(b);
  if (fall < 3e-7L * at_a) fall = mu * mills_fall((a + b) / 2.0L);
  return static_cast<double>(log_density + std::log(fall));
}

double estimate_contracted(double log_delta, double log_excess, double mu) {
  if (!(log_delta > -std::numeric_limits<double>::infinity())) return log_delta;
  const double x = log_excess - log_delta;
  const double level = x > 40.0 ? x : std::log1p(std::exp(x));
  return log_delta + std::min(0.0, estimate_log_theta(level, mu));
}

}  // namespace doeblin::verify
