// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_to_profile.hpp"

#include <boost/math/tools/minima.hpp>
#include <cmath>

#include "doeblin/profile/renyi_conversion.hpp"

namespace doeblin {
namespace {

// The point of the curve that minimises the criterion, found on a logarithmic scale of alpha - 1: a scan of something
// like it locates it, Brent's method refines it. Any point is sound; this one decides only how tight the answer is.
template <typename Criterion>
RenyiPoint best_point(const RenyiCurve& curve, const Criterion& rough, const Criterion& criterion) {
  const auto point_at = [&](double u) {
    const double alpha = std::min(std::max(1.0 + std::exp(u), rounding::next_up(1.0)), curve.traits().largest_order);
    return RenyiPoint{alpha, curve.at(Alpha(alpha)).upper()};
  };
  const auto at = [&](double u, const Criterion& value) {
    const RenyiPoint point = point_at(u);
    return std::isinf(point.divergence) ? rounding::kInfinity : value(point);
  };
  const double high = std::log(std::min(curve.traits().largest_order - 1.0, 1e10));
  const double low = std::min(std::log(1e-6), high - 1.0);
  constexpr int kScan = 48;
  const double step = (high - low) / kScan;
  int best = 0;
  double best_value = rounding::kInfinity;
  for (int i = 0; i <= kScan; ++i)
    if (const double value = at(low + step * i, rough); value < best_value) best = i, best_value = value;
  // From there to where the criterion itself is least.
  best_value = at(low + step * best, criterion);
  for (const int way : {-1, 1})
    for (int i = best + way; i >= 0 && i <= kScan; i += way) {
      const double value = at(low + step * i, criterion);
      if (!(value < best_value)) break;
      best = i, best_value = value;
    }
  const double middle = low + step * best;
  const auto [refined, value] = boost::math::tools::brent_find_minima(
      [&](double u) { return at(u, criterion); }, std::max(low, middle - step), std::min(high, middle + step), 16);
  return point_at(value < best_value ? refined : middle);
}

// What each rule says about one point: by one formula, for finding the orders in question; quickly, for choosing among
// these; and for certain.
struct Rule {
  double (*rough_epsilon)(const RenyiPoint&, double delta);
  double (*rough_log_delta)(const RenyiPoint&, double epsilon);
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
      return {
          epsilon_itself<textbook_epsilon_upper>, log_of<textbook_delta_upper>, epsilon_itself<textbook_epsilon_upper>,
          log_of<textbook_delta_upper>,           textbook_epsilon_upper,       textbook_delta_upper};
    case RenyiRule::kCanonneKamathSteinke:
      return {closed_form_epsilon,
              closed_form_log_delta,
              epsilon_itself<canonne_kamath_steinke_epsilon_upper>,
              log_of<canonne_kamath_steinke_delta_upper>,
              canonne_kamath_steinke_epsilon_upper,
              canonne_kamath_steinke_delta_upper};
    case RenyiRule::kOptimal: break;
  }
  return {closed_form_epsilon,
          closed_form_log_delta,
          approximate_epsilon,
          approximate_log_delta,
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
    const auto by = [eps](auto* formula) { return [=](const RenyiPoint& p) { return formula(p, eps); }; };
    const RenyiPoint point = best_point(curve, by(rule.rough_log_delta), by(rule.likely_log_delta));
    if (std::isinf(point.divergence)) return Bracket(lower, 1.0);
    if (std::isinf(epsilon.value())) return Bracket(lower);
    return Bracket(lower, rule.delta(point, Epsilon(eps)));
  };
  const auto epsilon = [curve, attained, rule](Delta at) {
    const double lower = attained.epsilon(at).lower();
    const auto by = [=](auto* formula) { return [=](const RenyiPoint& p) { return formula(p, at.value()); }; };
    const RenyiPoint point = best_point(curve, by(rule.rough_epsilon), by(rule.likely_epsilon));
    if (std::isinf(point.divergence)) return Bracket(lower, rounding::kInfinity);
    return Bracket(lower, rule.epsilon(point, at));
  };
  return Profile(delta, epsilon, {.tight = false, .costly = true});
}

}  // namespace doeblin
