// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/zcdp.hpp"

#include <cmath>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/group.hpp"

namespace doeblin {

Zcdp Zcdp::level(double rho) {
  require(rho >= 0.0 && std::isfinite(rho), "rho", rho, "0 <= rho < infinity");
  return {numerics::Wide(rho)};
}

Bracket rdp(const Zcdp& zcdp, Alpha alpha) {
  if (zcdp.rho.is_zero()) return Bracket(0.0);
  return enclose(zcdp.rho) * alpha.value();
}

Profile profile_of(const Zcdp& zcdp) {
  const Gdp attained{sqrt(zcdp.rho * 2.0)};
  if (zcdp.rho.is_zero()) return profile_of(attained);
  return profile_from_renyi(renyi_of(zcdp), profile_of(attained));
}

Zcdp group(const Zcdp& zcdp, double k) {
  require_group_size(k);
  return {zcdp.rho * k * k};
}

RenyiCurve renyi_of(const RenyiPoint& point) {
  point.validate();
  const auto divergence = [point](Alpha alpha) {
    if (point.divergence == 0.0) return Bracket(0.0);
    if (alpha.value() > point.alpha) return Bracket(rounding::kInfinity);
    const double reached = (Bracket(alpha.value()) / point.alpha * point.divergence).lower();
    return Bracket(std::min(reached, point.divergence), point.divergence);
  };
  return RenyiCurve(divergence, {.largest_order = point.alpha, .tight = false});
}

Profile profile_of(const RenyiPoint& point) {
  point.validate();
  return Profile([point](Epsilon epsilon) { return optimal_delta(point, epsilon); },
                 [point](Delta delta) { return optimal_epsilon(point, delta); }, {});
}

}  // namespace doeblin
