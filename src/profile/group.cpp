// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

constexpr double kNegligibleDelta = 1e-300;

// log((e^eps - 1)/(e^{eps/k} - 1)), with eps/k given as a bracket so that nothing overflows.
Bracket log_growth(double epsilon, const Bracket& share, double k) {
  if (epsilon == 0.0 || share.lower() <= 0.0) return {0.0, numerics::log(Bracket(k)).upper() + epsilon};
  const auto log_rise = [](const Bracket& x) { return numerics::log(-numerics::expm1(-x)); };
  return Bracket(epsilon) - share + log_rise(Bracket(epsilon)) - log_rise(share);
}

}  // namespace

void require_group_size(double k) {
  require(k >= 1.0 && k <= 0x1p53 && k == std::floor(k), "k", k, "an integer, 1 <= k <= 2^53");
}

Profile black_box_group(const Profile& profile, double k) {
  require_group_size(k);
  if (k == 1.0) return profile;
  // delta_k never increases, so where the profile is constant, or has fallen to the end of the doubles, the growth
  // factor must not be allowed to raise the bound again.
  const double settled = std::min(profile.traits().loss_bound, profile.epsilon(Delta(kNegligibleDelta)).upper());
  const double last = rounding::mul_up(settled, k);
  const auto delta = [profile, k, last](Epsilon epsilon) {
    const double lower = profile.delta(epsilon).lower();
    const double eps = std::min(epsilon.value(), last);
    const Bracket share = Bracket(eps) / k;
    const Bracket at_share = profile.delta(Epsilon(share.lower()));
    if (at_share.upper() == 0.0) return Bracket(0.0);
    if (std::isinf(eps)) return Bracket(lower, 1.0);
    const double upper =
        eps == 0.0 ? rounding::mul_up(k, at_share.upper())
                   : numerics::exp(log_growth(eps, share, k) + numerics::log(Bracket(at_share.upper()))).upper();
    return Bracket(lower, std::max(lower, std::min(1.0, upper)));
  };
  return Profile(delta, {.tight = false, .loss_bound = last, .log_concave = false, .costly = profile.traits().costly});
}

}  // namespace doeblin
