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

}  // namespace

Profile profile_from_renyi(const RenyiCurve& curve, const Profile& attained) {
  const auto delta = [curve, attained](Epsilon epsilon) {
    const double lower = attained.delta(epsilon).lower();
    const double eps = std::min(epsilon.value(), rounding::kMax);
    const RenyiPoint point = best_point(curve, [eps](const RenyiPoint& p) { return approximate_log_delta(p, eps); });
    if (std::isinf(epsilon.value()) && std::isfinite(point.divergence)) return Bracket(lower);
    return Bracket(lower, std::max(lower, optimal_delta(point, Epsilon(eps)).upper()));
  };
  const auto epsilon = [curve, attained](Delta at) {
    const double lower = attained.epsilon(at).lower();
    const RenyiPoint point =
        best_point(curve, [at](const RenyiPoint& p) { return approximate_epsilon(p, at.value()); });
    return Bracket(lower, std::max(lower, optimal_epsilon(point, at).upper()));
  };
  return Profile(delta, epsilon, {.tight = false, .costly = true});
}

}  // namespace doeblin
