// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/gdp.hpp"

#include "doeblin/numerics/theta.hpp"
#include "doeblin/numerics/theta_batch.hpp"

namespace doeblin {

Gdp Gdp::level(double mu) {
  require(mu >= 0.0 && std::isfinite(mu), "mu", mu, "0 <= mu < infinity");
  return {numerics::Wide(mu)};
}

Bracket delta(const Gdp& gdp, Epsilon epsilon) { return numerics::theta(epsilon.value(), gdp.mu); }

double deltas(const Gdp& gdp, std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) {
  return numerics::theta(epsilon, gdp.mu, lower, upper);
}

Bracket log_delta(const Gdp& gdp, Epsilon epsilon) { return numerics::log_theta(epsilon.value(), gdp.mu); }

Bracket rdp(const Gdp& gdp, Alpha alpha) {
  const Bracket mu = enclose(gdp.mu);
  if (mu.upper() == 0.0) return Bracket(0.0);
  if (std::isinf(alpha.value())) return Bracket(rounding::kInfinity);
  return max(enclose(gdp.mu * gdp.mu), Bracket(0.0)) * alpha.value() / 2.0;
}

ProfileTraits profile_traits(const Gdp& gdp) {
  return {.tight = true, .loss_bound = gdp.mu.is_zero() ? 0.0 : rounding::kInfinity, .log_concave = true};
}

Gdp group(const Gdp& gdp, double k) {
  require(k >= 1.0 && std::isfinite(k), "k", k, "1 <= k < infinity");
  return {gdp.mu * k};
}

}  // namespace doeblin
