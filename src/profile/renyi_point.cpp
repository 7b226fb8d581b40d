// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_point.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/renyi_conversion.hpp"

namespace doeblin {
namespace {

// The most informative randomised response that meets the bound, found from below.
RandomizedResponse strongest_response(const RenyiPoint& point) {
  const auto meets = [&](double p) {
    return p < 1.0 && rdp(RandomizedResponse{p}, Alpha(point.alpha)).upper() <= point.divergence;
  };
  return {numerics::narrowed<double>({.safe = 0.5, .unsafe = 1.0}, meets, numerics::Halving{.steps = 60}).safe};
}

// alpha mu^2/2 <= divergence, rounded down.
Gdp strongest_gaussian(const RenyiPoint& point) {
  const double mu = numerics::sqrt(2.0 * Bracket(point.divergence) / point.alpha).lower();
  return Gdp::level(std::min(mu, rounding::kMax));
}

}  // namespace

std::optional<DiscreteLaplace> strongest_steps(const RenyiPoint& point) {
  point.validate();
  // Nobody loses more than 1/scale, and that by itself is e^{(alpha - 1)/scale}/2 of the moment.
  const double safe = rounding::div_up(1.0, point.divergence);
  const double unsafe = 1.0 / (point.divergence + 0.7 / (point.alpha - 1.0));
  // The search takes geometric means.
  if (!(safe > 1e-150 && safe < 1e150)) return std::nullopt;
  const auto meets = [&](double scale) {
    return rdp(DiscreteLaplace{scale}, Alpha(point.alpha)).upper() <= point.divergence;
  };
  return DiscreteLaplace{numerics::narrowed<double>({.safe = safe, .unsafe = unsafe}, meets,
                                                    numerics::LogHalving{.steps = 100, .ratio = 1.0 + 1e-14})
                             .safe};
}

void RenyiPoint::validate() const {
  require(alpha > 1.0 && std::isfinite(alpha), "alpha", alpha, "1 < alpha < infinity");
  require(divergence >= 0.0, "epsilon", divergence, "epsilon >= 0");
}

RenyiCurve renyi_of(const RenyiPoint& point) {
  point.validate();
  const auto divergence = [point](Alpha alpha) {
    if (point.divergence == 0.0) return Bracket(0.0);
    if (alpha.value() > point.alpha) return Bracket(rounding::kInfinity);
    const double reached = (Bracket(alpha.value()) / point.alpha * point.divergence).lower();
    return Bracket(reached, point.divergence);
  };
  return RenyiCurve(divergence, {.largest_order = point.alpha, .tight = false});
}

Profile profile_of(const RenyiPoint& point) {
  point.validate();
  if (std::isinf(point.divergence))
    return Profile([](Epsilon) { return Bracket(1.0); },
                   [](Delta delta) { return Bracket(delta.value() < 1.0 ? rounding::kInfinity : 0.0); });
  const Profile response = profile_of(strongest_response(point));
  const Profile gaussian = profile_of(strongest_gaussian(point));
  const auto delta = [=](Epsilon epsilon) {
    const Bracket rule = optimal_delta(point, epsilon);
    if (rule.lower() <= 0.0 || attaining_pair_is_reversible(point, epsilon.value(), rule.lower())) return rule;
    const double reached = std::max(response.delta(epsilon).lower(), gaussian.delta(epsilon).lower());
    return Bracket(reached, rule.upper());
  };
  const auto epsilon = [=](Delta at) {
    const Bracket rule = optimal_epsilon(point, at);
    if (rule.lower() <= 0.0 || attaining_pair_is_reversible(point, rule.lower(), at.value())) return rule;
    const double reached = std::max(response.epsilon(at).lower(), gaussian.epsilon(at).lower());
    return Bracket(reached, rule.upper());
  };
  return Profile(delta, epsilon, {.tight = false, .costly = true});
}

}  // namespace doeblin
