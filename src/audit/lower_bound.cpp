// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/lower_bound.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/special_functions/erf.hpp>

#include "doeblin/audit/confidence.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "doeblin/profile/gdp.hpp"

namespace doeblin::audit {
namespace {

constexpr double kFirstQuantileStep = 1e-14;

// The x with Phi(x) = p, nearly. Domain: 0 < p < 1.
double normal_quantile(double p) { return -std::sqrt(2.0) * boost::math::erfc_inv(2.0 * p); }

// Phi(x) <= p for what is returned: Phi(x) = Q(-x).
double quantile_lower(double p) {
  double x = normal_quantile(p);
  for (double step = kFirstQuantileStep; numerics::normal_tail(-x).upper() > p; step *= 2.0)
    x -= step * (1.0 + std::fabs(x));
  return x;
}

double quantile_upper(double p) {
  double x = normal_quantile(p);
  for (double step = kFirstQuantileStep; numerics::normal_tail(-x).lower() < p; step *= 2.0)
    x += step * (1.0 + std::fabs(x));
  return x;
}

}  // namespace

EventBounds bounds_of(const EventCounts& counts, double failure) {
  return {.likely_lower = binomial_lower(counts.likely_hits, counts.likely_runs, failure / 2.0),
          .rare_upper = binomial_upper(counts.rare_hits, counts.rare_runs, failure / 2.0)};
}

double epsilon_lower(const EventBounds& bounds, double delta) {
  require(delta >= 0.0 && delta < 1.0, "delta", delta, "0 <= delta < 1");
  const double excess = rounding::sub_down(bounds.likely_lower, delta);
  // rare_upper is positive: even without a hit, finitely many runs exclude no small probability.
  if (!(excess > bounds.rare_upper)) return 0.0;
  return std::max(0.0, numerics::log(Bracket(rounding::div_down(excess, bounds.rare_upper))).lower());
}

double mu_lower(const EventBounds& bounds) {
  if (!(bounds.likely_lower > bounds.rare_upper)) return 0.0;
  // Here 0 < rare_upper < likely_lower <= failure^(1/runs) < 1.
  return std::max(0.0, rounding::sub_down(quantile_lower(bounds.likely_lower), quantile_upper(bounds.rare_upper)));
}

double gaussian_epsilon_lower(double mu, double delta) {
  return profile_of(Gdp::level(mu)).epsilon(Delta(delta)).lower();
}

}  // namespace doeblin::audit
