// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"

#include <cmath>
#include <optional>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/black_box.hpp"

namespace doeblin {
namespace {

constexpr double kNegligibleDelta = 1e-300;

// log((e^eps - 1)/(e^{eps/k} - 1)), with eps/k given as a bracket so that nothing overflows.
Bracket log_growth(double epsilon, const Bracket& share, double k) {
  if (epsilon == 0.0 || share.lower() <= 0.0) return {0.0, numerics::log(Bracket(k)).upper() + epsilon};
  const auto log_rise = [](const Bracket& x) { return numerics::log(-numerics::expm1(-x)); };
  return Bracket(epsilon) - share + log_rise(Bracket(epsilon)) - log_rise(share);
}

// (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k).
double rule_upper(const Profile& profile, double k, double epsilon) {
  const Bracket share = Bracket(epsilon) / k;
  const double at_share = profile.delta(Epsilon(share.lower())).upper();
  if (at_share == 0.0) return 0.0;
  if (std::isinf(epsilon)) return 1.0;
  if (epsilon == 0.0) return std::min(1.0, rounding::mul_up(k, at_share));
  return std::min(1.0, numerics::exp(log_growth(epsilon, share, k) + numerics::log(Bracket(at_share))).upper());
}

// A pure eps0-DP mechanism is pure k eps0-DP for k people, with all that P4 says about that.
std::optional<BlackBox> pure_level(const Profile& profile, double k) {
  const double level = rounding::mul_up(profile.traits().loss_bound, k);
  if (!std::isfinite(level) || profile.delta(Epsilon(rounding::kInfinity)).upper() > 0.0) return std::nullopt;
  return BlackBox{level, 0.0};
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
  const std::optional<BlackBox> pure = pure_level(profile, k);
  const auto delta = [profile, k, last, pure](Epsilon epsilon) {
    const double lower = profile.delta(epsilon).lower();
    const double eps = std::min(epsilon.value(), last);
    double upper = 1.0;
    // The rule at any smaller epsilon holds too.
    for (const double part : {1.0, 0.75, 0.5, 0.25, 0.0}) upper = std::min(upper, rule_upper(profile, k, eps * part));
    if (pure) upper = std::min(upper, doeblin::delta(*pure, epsilon).upper());
    return Bracket(std::min(lower, upper), upper);
  };
  return Profile(delta, {.tight = false,
                         .loss_bound = pure ? pure->epsilon : last,
                         .log_concave = false,
                         .costly = profile.traits().costly});
}

RenyiCurve black_box_group_renyi(const Profile& profile, const RenyiCurve& renyi, double k) {
  require_group_size(k);
  if (k == 1.0) return renyi;
  const std::optional<BlackBox> pure = pure_level(profile, k);
  const auto divergence = [renyi, pure](Alpha alpha) {
    const double lower = renyi.at(alpha).lower();
    const double upper = pure ? rdp(*pure, alpha).upper() : rounding::kInfinity;
    return Bracket(std::min(lower, upper), upper);
  };
  return RenyiCurve(divergence, {.largest_order = pure ? rounding::kInfinity : 1.0, .tight = false});
}

}  // namespace doeblin
