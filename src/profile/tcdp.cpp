// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/tcdp.hpp"

#include <cmath>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"

namespace doeblin {

void TruncatedCdp::validate() const {
  require(rho >= 0.0 && std::isfinite(rho), "rho", rho, "0 <= rho < infinity");
  require(omega > 1.0, "omega", omega, "omega > 1");
}

RenyiCurve renyi_of(const TruncatedCdp& level) {
  level.validate();
  const auto divergence = [level](Alpha alpha) {
    if (level.rho == 0.0) return Bracket(0.0);
    const Bracket reached = Bracket(level.rho) * alpha.value();
    return alpha.value() <= level.omega ? reached : Bracket(reached.lower(), rounding::kInfinity);
  };
  return RenyiCurve(divergence,
                    {.largest_order = level.rho == 0.0 ? rounding::kInfinity : level.omega, .tight = false});
}

Profile profile_of(const TruncatedCdp& level) {
  level.validate();
  const Gdp attained{sqrt(numerics::Wide(level.rho) * 2.0)};
  if (level.rho == 0.0) return profile_of(attained);
  return profile_from_renyi(renyi_of(level), profile_of(attained));
}

}  // namespace doeblin
