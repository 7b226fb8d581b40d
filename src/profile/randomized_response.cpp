// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/randomized_response.hpp"

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/symmetric_moment.hpp"

namespace doeblin {
namespace {

struct TwoPoints {
  Bracket likely;
  Bracket unlikely;
  Bracket difference;
};

// 2p - 1 is exact near p = 1/2, where the difference of the two probabilities would not be.
TwoPoints two_points(const RandomizedResponse& mechanism) {
  const Bracket p(mechanism.p);
  const Bracket difference = 2.0 * p - 1.0;
  return mechanism.p >= 0.5 ? TwoPoints{p, 1.0 - p, difference} : TwoPoints{1.0 - p, p, -difference};
}

// log(likely/unlikely), written as log(1 + difference/unlikely) while that keeps digits.
Bracket log_odds(const TwoPoints& m) {
  if (m.unlikely.upper() <= 0.0) return Bracket(rounding::kInfinity);
  if (m.unlikely.upper() < 0.2) return numerics::log(m.likely) - numerics::log(m.unlikely);
  return numerics::log1p(m.difference / m.unlikely);
}

}  // namespace

void RandomizedResponse::validate() const { require(p >= 0.0 && p <= 1.0, "p", p, "0 <= p <= 1"); }

Bracket delta(const RandomizedResponse& mechanism, Epsilon epsilon) {
  mechanism.validate();
  const TwoPoints m = two_points(mechanism);
  if (m.unlikely.upper() == 0.0) return Bracket(1.0);
  const Bracket odds = log_odds(m);
  if (epsilon.value() >= odds.upper()) return Bracket(0.0);
  if (epsilon.value() > 1.0) {
    // e^eps unlikely is below 1 although e^eps may overflow: multiply by its square root twice.
    const Bracket root = numerics::exp(Bracket(epsilon.value()) / 2.0);
    return clamp(m.likely - m.unlikely * root * root, 0.0, 1.0);
  }
  // Small levels keep their digits as difference - (e^eps - 1) unlikely.
  return clamp(m.difference - numerics::expm1(Bracket(epsilon.value())) * m.unlikely, 0.0, 1.0);
}

Bracket rdp(const RandomizedResponse& mechanism, Alpha alpha) {
  mechanism.validate();
  const TwoPoints m = two_points(mechanism);
  const Bracket odds = log_odds(m);
  if (std::isinf(odds.upper())) return Bracket(rounding::kInfinity);
  if (std::isinf(alpha.value())) return odds;
  SymmetricMoment moment(alpha);
  moment.add(numerics::log(m.likely), odds);
  return min(moment.divergence(), odds);
}

ProfileTraits profile_traits(const RandomizedResponse& mechanism) {
  return {.tight = true, .loss_bound = log_odds(two_points(mechanism)).upper(), .log_concave = false};
}

}  // namespace doeblin
