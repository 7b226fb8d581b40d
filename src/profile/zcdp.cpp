// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/zcdp.hpp"

#include <cmath>

#include "doeblin/profile/group.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"

namespace doeblin {

Zcdp Zcdp::level(double rho) {
  require(rho >= 0.0 && std::isfinite(rho), "rho", rho, "0 <= rho < infinity");
  return {numerics::Wide(rho)};
}

Bracket rdp(const Zcdp& zcdp, Alpha alpha) {
  if (zcdp.rho.is_zero()) return Bracket(0.0);
  return max(enclose(zcdp.rho), Bracket(0.0)) * alpha.value();
}

Gdp attaining(const Zcdp& zcdp) { return {sqrt(zcdp.rho * 2.0)}; }

Profile profile_of(const Zcdp& zcdp) {
  const Gdp attained = attaining(zcdp);
  if (zcdp.rho.is_zero()) return profile_of(attained);
  return profile_from_renyi(renyi_of(zcdp), profile_of(attained));
}

Zcdp group(const Zcdp& zcdp, double k) {
  require_group_size(k);
  return {zcdp.rho * k * k};
}

}  // namespace doeblin
