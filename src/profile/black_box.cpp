// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/black_box.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/symmetric_moment.hpp"

namespace doeblin {

void BlackBox::validate() const {
  require(epsilon >= 0.0 && std::isfinite(epsilon), "epsilon", epsilon, "0 <= epsilon < infinity");
  require(delta >= 0.0 && delta <= 1.0, "delta", delta, "0 <= delta <= 1");
}

Bracket delta(const BlackBox& mechanism, Epsilon epsilon) {
  mechanism.validate();
  const Bracket floor(mechanism.delta);
  if (epsilon.value() >= mechanism.epsilon) return floor;
  // (e^eps0 - e^eps)/(1 + e^eps0) = (1 - e^{eps - eps0})/(1 + e^{-eps0}).
  const Bracket excess = -numerics::expm1(Bracket(epsilon.value()) - mechanism.epsilon) /
                         (1.0 + numerics::exp(Bracket(-mechanism.epsilon)));
  return clamp(floor + (1.0 - floor) * excess, 0.0, 1.0);
}

Bracket rdp(const BlackBox& mechanism, Alpha alpha) {
  mechanism.validate();
  if (mechanism.delta > 0.0) return Bracket(rounding::kInfinity);
  if (std::isinf(alpha.value())) return Bracket(mechanism.epsilon);
  SymmetricMoment moment(alpha);
  moment.add(-numerics::log1p(numerics::exp(Bracket(-mechanism.epsilon))), Bracket(mechanism.epsilon));
  return min(moment.divergence(), Bracket(mechanism.epsilon));
}

ProfileTraits profile_traits(const BlackBox& mechanism) {
  return {.tight = true, .loss_bound = mechanism.epsilon, .log_concave = false};
}

}  // namespace doeblin
