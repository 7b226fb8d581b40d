// SPDX-License-Identifier: Apache-2.0
#include "doeblin/accounting/composition.hpp"

#include <cmath>

#include "doeblin/profile/renyi_to_profile.hpp"

namespace doeblin {

void require_count(double k) {
  require(k >= 1.0 && k <= 0x1p53 && k == std::floor(k), "k", k, "an integer, 1 <= k <= 2^53");
}

Gdp compose(const std::vector<Gdp>& parts) {
  numerics::Wide squares;
  for (const Gdp& part : parts) squares = squares + part.mu * part.mu;
  return {sqrt(squares)};
}

Gdp compose(const Gdp& part, double k) {
  require_count(k);
  return {part.mu * sqrt(numerics::Wide(k))};
}

Zcdp compose(const std::vector<Zcdp>& parts) {
  numerics::Wide sum;
  for (const Zcdp& part : parts) sum = sum + part.rho;
  return {sum};
}

Zcdp compose(const Zcdp& part, double k) {
  require_count(k);
  return {part.rho * k};
}

RenyiCurve compose(const std::vector<RenyiCurve>& parts) {
  RenyiTraits common;
  for (const RenyiCurve& part : parts) {
    common.largest_order = std::min(common.largest_order, part.traits().largest_order);
    common.tight = common.tight && part.traits().tight;
  }
  const auto divergence = [parts](Alpha alpha) {
    Bracket sum(0.0);
    for (const RenyiCurve& part : parts) sum = sum + part.at(alpha);
    return sum;
  };
  return RenyiCurve(divergence, common);
}

RenyiCurve compose(const RenyiCurve& part, double k) {
  require_count(k);
  return RenyiCurve([part, k](Alpha alpha) { return part.at(alpha) * k; }, part.traits());
}

Profile composed_profile(const RenyiCurve& total, const std::vector<ProfilePart>& parts) {
  double releases = 0.0;
  for (const ProfilePart& part : parts) releases = rounding::add_up(releases, part.count);
  const auto added = [parts, releases](Epsilon epsilon) {
    const Epsilon share(rounding::div_down(epsilon.value(), releases));
    double lower = 0.0;
    double upper = 0.0;
    for (const ProfilePart& part : parts) {
      lower = std::max(lower, part.profile.delta(epsilon).lower());
      upper = rounding::add_up(upper, rounding::mul_up(part.count, part.profile.delta(share).upper()));
    }
    return Bracket(lower, std::max(lower, std::min(1.0, upper)));
  };
  const Profile basic(added);
  const Profile renyi = profile_from_renyi(total, basic);
  return Profile([=](Epsilon epsilon) { return min(renyi.delta(epsilon), basic.delta(epsilon)); },
                 [=](Delta delta) { return min(renyi.epsilon(delta), basic.epsilon(delta)); }, {.tight = false});
}

}  // namespace doeblin
