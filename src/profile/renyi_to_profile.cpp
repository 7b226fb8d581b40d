// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_to_profile.hpp"

#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "doeblin/profile/renyi_conversion.hpp"

namespace doeblin {
namespace {

// The point of the curve that minimises the criterion, found on a logarithmic scale of alpha - 1: a scan locates it,
// Brent's method refines it. Any point is sound; this one decides only how tight the answer is.
template <typename Criterion>
RenyiPoint best_point(const RenyiCurve& curve, const Criterion& criterion) {
  const auto point_at = [&](double u) {
    const double alpha = std::min(std::max(1.0 + std::exp(u), rounding::next_up(1.0)), curve.traits().largest_order);
    return RenyiPoint{alpha, curve.at(Alpha(alpha)).upper()};
  };
  const auto at = [&](double u) {
    const RenyiPoint point = point_at(u);
    return std::isinf(point.divergence) ? rounding::kInfinity : criterion(point);
  };
  const double high = std::log(std::min(curve.traits().largest_order - 1.0, 1e10));
  const double low = std::min(std::log(1e-6), high - 1.0);
  constexpr int kScan = 48;
  const double step = (high - low) / kScan;
  double best = low;
  double best_value = rounding::kInfinity;
  for (int i = 0; i <= kScan; ++i) {
    const double u = low + step * i;
    const double value = at(u);
    if (value < best_value) best = u, best_value = value;
  }
  const auto refined =
      boost::math::tools::brent_find_minima(at, std::max(low, best - step), std::min(high, best + step), 16);
  return point_at(refined.second < best_value ? refined.first : best);
}

// What each rule says about one point: quickly, for choosing among orders, and for certain.
struct Rule {
  double (*likely_epsilon)(const RenyiPoint&, double delta);
  double (*likely_log_delta)(const RenyiPoint&, double epsilon);
  double (*epsilon)(const RenyiPoint&, Delta);
  double (*delta)(const RenyiPoint&, Epsilon);
};

template <double (*upper)(const RenyiPoint&, Delta)>
double epsilon_itself(const RenyiPoint& point, double delta) {
  return upper(point, Delta(delta));
}

template <double (*upper)(const RenyiPoint&, Epsilon)>
double log_of(const RenyiPoint& point, double epsilon) {
  return std::log(upper(point, Epsilon(epsilon)));
}

Rule rule_of(RenyiRule rule) {
  switch (rule) {
    case RenyiRule::kTextbook:
      return {epsilon_itself<textbook_epsilon_upper>, log_of<textbook_delta_upper>, textbook_epsilon_upper,
              textbook_delta_upper};
    case RenyiRule::kCanonneKamathSteinke:
      return {epsilon_itself<canonne_kamath_steinke_epsilon_upper>, log_of<canonne_kamath_steinke_delta_upper>,
              canonne_kamath_steinke_epsilon_upper, canonne_kamath_steinke_delta_upper};
    case RenyiRule::kOptimal: break;
  }
  return {approximate_epsilon, approximate_log_delta,
          [](const RenyiPoint& point, Delta delta) { return optimal_epsilon(point, delta).upper(); },
          [](const RenyiPoint& point, Epsilon epsilon) { return optimal_delta(point, epsilon).upper(); }};
}

// A curve without an order bounds nothing: delta <= 1 and epsilon <= infinity are always true.
Profile says_nothing_above(const Profile& attained) {
  return Profile([attained](Epsilon epsilon) { return Bracket(attained.delta(epsilon).lower(), 1.0); },
                 [attained](Delta delta) { return Bracket(attained.epsilon(delta).lower(), rounding::kInfinity); },
                 {.tight = false, .costly = true});
}

}  // namespace

Profile profile_from_renyi(const RenyiCurve& curve, const Profile& attained, RenyiRule which) {
  if (!(curve.traits().largest_order > 1.0)) return says_nothing_above(attained);
  const Rule rule = rule_of(which);
  const auto delta = [curve, attained, rule](Epsilon epsilon) {
    const double lower = attained.delta(epsilon).lower();
    const double eps = std::min(epsilon.value(), rounding::kMax);
    const RenyiPoint point = best_point(curve, [&](const RenyiPoint& p) { return rule.likely_log_delta(p, eps); });
    if (std::isinf(point.divergence)) return Bracket(lower, 1.0);
    if (std::isinf(epsilon.value())) return Bracket(lower);
    return Bracket(lower, rule.delta(point, Epsilon(eps)));
  };
  const auto epsilon = [curve, attained, rule](Delta at) {
    const double lower = attained.epsilon(at).lower();
    const RenyiPoint point = best_point(curve, [&](const RenyiPoint& p) { return rule.likely_epsilon(p, at.value()); });
    if (std::isinf(point.divergence)) return Bracket(lower, rounding::kInfinity);
    return Bracket(lower, rule.epsilon(point, at));
  };
  return Profile(delta, epsilon, {.tight = false, .costly = true});
}

}  // namespace doeblin
