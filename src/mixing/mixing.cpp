// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/mixing.hpp"

#include <cmath>

#include "doeblin/core/whole.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/profile/black_box.hpp"

namespace doeblin {
namespace {

using Kappa = std::function<Bracket(Epsilon)>;

constexpr double kMostSteps = 1e6;
// Rounds of looking for the worst pair at the epsilon that the known pairs allow.
constexpr int kMostMixingRounds = 64;
constexpr int kMostNudges = 40;

// log(1 + (e^eps - 1)/d), the level at which the kernel is asked; infinite for d = 0.
Bracket level_of(double epsilon, double d) {
  if (epsilon == 0.0) return Bracket(0.0);
  if (d == 0.0 || std::isinf(epsilon)) return Bracket(rounding::kInfinity);
  // For large eps, eps - log d + log(1 - (1 - d) e^-eps), and the last term lies in [log d, 0].
  if (epsilon > 700.0) {
    const Bracket shift = numerics::log(Bracket(d));
    const Bracket rest = numerics::log1p(-((1.0 - Bracket(d)) * numerics::exp(Bracket(-epsilon))));
    return max(Bracket(epsilon) - shift + rest, Bracket(0.0));
  }
  const Bracket excess = numerics::expm1(Bracket(epsilon));
  // (e^eps - 1)/d may overflow although its logarithm is small.
  if (excess.upper() > rounding::kMax * d)
    return max(numerics::log_add_exp(Bracket(0.0), numerics::log(excess) - numerics::log(Bracket(d))), Bracket(0.0));
  // Rounding outward must not make an epsilon negative.
  return max(numerics::log1p(excess / Bracket(d)), Bracket(0.0));
}

ProfileTraits mixed_traits(const Profile& mechanism, const Profile& kernel) {
  const ProfileTraits& first = mechanism.traits();
  const ProfileTraits& second = kernel.traits();
  ProfileTraits traits;
  traits.tight = first.tight && second.tight;
  traits.costly = first.costly || second.costly;
  traits.goal = first.goal;
  // Nothing changes where neither does; nothing is left where one of the two is 0 (the kernel is asked at more than
  // eps).
  traits.loss_bound = std::max(first.loss_bound, second.loss_bound);
  const auto ends = [](const Profile& profile) {
    const double bound = profile.traits().loss_bound;
    return std::isfinite(bound) && profile.delta(Epsilon(bound)).upper() == 0.0;
  };
  if (first.loss_bound < traits.loss_bound && ends(mechanism)) traits.loss_bound = first.loss_bound;
  if (second.loss_bound < traits.loss_bound && !second.costly && ends(kernel)) traits.loss_bound = second.loss_bound;
  // The kernel only lowers the profile.
  traits.majorant = first.log_concave ? std::make_shared<const Profile>(mechanism) : first.majorant;
  return traits;
}

// The smallest epsilon that meets delta, where kappa is costly: solve with the pairs that are known, ask for the worst
// pair there, and again, until it was among them.
Bracket epsilon_by_pairs(const Profile& mechanism, const MixingKernel& kernel, Delta delta) {
  const auto with = [&](const Kappa& kappa, double epsilon) {
    return mixed(mechanism.delta(Epsilon(epsilon)), kappa, Epsilon(epsilon), kernel.known);
  };
  const Kappa full = [&](Epsilon epsilon) { return kernel.profile.delta(epsilon); };
  Bracket found(0.0);
  for (int round = 0; round < kMostMixingRounds; ++round) {
    found = numerics::first_at_most([&](double epsilon) { return with(kernel.known, epsilon); }, delta.value(), 1e-13);
    const double candidate = found.upper();
    if (std::isinf(candidate) || with(full, candidate).upper() <= delta.value()) return found;
    if (!(with(kernel.known, candidate).upper() > delta.value())) break;  // rounding, not a pair, stands in the way
  }
  double step = std::max(found.upper() * 0x1p-44, 0x1p-60);
  for (int nudge = 0; nudge < kMostNudges; ++nudge, step *= 2.0) {
    const double candidate = rounding::add_up(found.upper(), step);
    if (with(full, candidate).upper() <= delta.value()) return {found.lower(), candidate};
  }
  return {found.lower(), rounding::kInfinity};
}

// Applies rule(gamma, 1 - e^{eps'-eps}, delta(eps)), where e^eps' = 1 + gamma (e^eps - 1); keeps what is better.
template <typename Rule>
Profile published(const Profile& mechanism, double gamma, const Rule& rule) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma", gamma, "0 <= gamma <= 1");
  ProfileTraits traits;
  traits.tight = false;
  traits.costly = mechanism.traits().costly;
  return Profile(
      [=](Epsilon target) {
        const double plain = mechanism.delta(target).upper();
        if (gamma == 0.0) return Bracket(0.0);
        if (std::isinf(target.value())) return Bracket(0.0, plain);
        // An eps that is too small makes delta(eps) too large, and the rule holds for every eps.
        const Bracket level = level_of(target.value(), gamma);
        const Bracket source = max(level, Bracket(target.value()));
        const Bracket d(mechanism.delta(Epsilon(source.lower())).upper());
        // e^{eps' - eps} = gamma + (1 - gamma) e^-eps for the eps' that belongs to this eps; it is at most the target.
        const Bracket lost = -((1.0 - Bracket(gamma)) * numerics::expm1(-source));
        const double changed = clamp(rule(Bracket(gamma), lost, d), 0.0, 1.0).upper();
        return Bracket(0.0, std::min(plain, changed));
      },
      traits);
}

}  // namespace

Bracket mixed(const Bracket& d, const Kappa& kappa, Epsilon epsilon, const Kappa& below) {
  if (d.upper() == 0.0) return Bracket(0.0);
  const Bracket top = level_of(epsilon.value(), d.upper());
  const Bracket high = kappa(Epsilon(top.lower()));
  const double upper = std::min(1.0, rounding::mul_up(d.upper(), high.upper()));
  if (d.lower() == 0.0) return {0.0, upper};
  const double level = d.is_exact() ? top.upper() : level_of(epsilon.value(), d.lower()).upper();
  const double low = (level == top.lower() ? high : below ? below(Epsilon(level)) : kappa(Epsilon(level))).lower();
  return {rounding::mul_down(d.lower(), low), upper};
}

MixingKernel dobrushin_kernel(double gamma, double epsilon) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma", gamma, "0 <= gamma <= 1");
  const BlackBox box{.epsilon = epsilon, .delta = gamma};
  box.validate();
  return {profile_of(box)};
}

MixingKernel ultra_mixing_kernel(double gamma) {
  require(gamma >= 0.0 && gamma <= 1.0, "gamma", gamma, "0 <= gamma <= 1");
  if (gamma == 1.0) return dobrushin_kernel(1.0);
  // The level is known up to rounding: too large is safe above, too small below.
  const Bracket level = max(-numerics::log1p(-Bracket(gamma)), Bracket(0.0));
  const BlackBox low{.epsilon = level.lower()};
  const BlackBox high{.epsilon = level.upper()};
  ProfileTraits traits = profile_traits(high);
  return {Profile([=](Epsilon epsilon) { return Bracket(delta(low, epsilon).lower(), delta(high, epsilon).upper()); },
                  traits)};
}

Profile mixed(const Profile& mechanism, const MixingKernel& kernel) {
  const ProfileTraits traits = mixed_traits(mechanism, kernel.profile);
  const auto after = [=](Epsilon epsilon) {
    const Profile& kappa = kernel.profile;
    return mixed(
        mechanism.delta(epsilon), [&](Epsilon level) { return kappa.delta(level); }, epsilon, kernel.known);
  };
  if (!kernel.known || !kernel.profile.traits().costly) return Profile(after, traits);
  return Profile(
      after, [=](Delta delta) { return epsilon_by_pairs(mechanism, kernel, delta); }, traits);
}

MixingKernel followed_by(const MixingKernel& first, const MixingKernel& second) {
  return {mixed(first.profile, second)};
}

MixingKernel repeated(const MixingKernel& kernel, double steps) {
  require_whole("steps", steps, 1.0, rounding::kInfinity, "an integer, steps >= 1");
  if (steps == 1.0) return kernel;
  ProfileTraits traits = kernel.profile.traits();
  const bool is_counted = steps <= kMostSteps;
  traits.tight = traits.tight && is_counted;
  traits.log_concave = false;
  traits.majorant = nullptr;
  return {Profile(
      [kappa = kernel.profile, count = std::min(steps, kMostSteps), is_counted](Epsilon epsilon) {
        Bracket d(1.0);
        for (double step = 0.0; step < count && d.upper() > 0.0; ++step) {
          const Bracket next = mixed(
              d, [&](Epsilon level) { return kappa.delta(level); }, epsilon);
          if (next == d) break;
          d = next;
        }
        return is_counted ? d : Bracket(0.0, d.upper());
      },
      traits)};
}

Profile published_doeblin(const Profile& mechanism, double gamma) {
  return published(mechanism, gamma, [](const Bracket& g, const Bracket& lost, const Bracket& d) {
    return g * (lost + (1.0 - lost) * d);
  });
}

Profile published_ultra_mixing(const Profile& mechanism, double gamma) {
  return published(mechanism, gamma,
                   [](const Bracket& g, const Bracket& lost, const Bracket& d) { return g * (1.0 - lost) * d; });
}

}  // namespace doeblin
