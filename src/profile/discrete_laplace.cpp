// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/discrete_laplace.hpp"

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/parameters.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/profile/symmetric_moment.hpp"

namespace doeblin {
namespace {

using numerics::exp;
using numerics::expm1;
using numerics::Wide;

constexpr double kMostAtoms = 0x1p17;

// xi = (2m - D)/b - eps, how far the loss at m exceeds eps.
Bracket excess_loss(const DiscreteLaplace& mechanism, double m, double epsilon) {
  const double steps = 2.0 * m - mechanism.sensitivity;
  const Wide size = numerics::ratio(std::fabs(steps), mechanism.scale);
  return steps >= 0.0 ? numerics::difference(size, epsilon) : -numerics::difference(size, -epsilon);
}

// Pr[X >= m - D] - e^eps Pr[X >= m] for 1 <= m <= D: with t = e^{-1/b} the two tails are 1 - t^{D-m+1}/(1+t) and
// t^m/(1+t), and e^eps t^m = t^{D-m} e^{-xi}.
Bracket tail_difference(const DiscreteLaplace& mechanism, double m, const Bracket& xi) {
  const double b = mechanism.scale;
  const Bracket steps = Bracket(mechanism.sensitivity - m) / b;
  return -expm1(-steps) + exp(-steps) * -expm1(-xi) / (1.0 + exp(-(Bracket(1.0) / b)));
}

}  // namespace

void DiscreteLaplace::validate() const {
  require_noise("scale", scale);
  require_integer_sensitivity(sensitivity);
}

Bracket delta(const DiscreteLaplace& mechanism, Epsilon epsilon) {
  mechanism.validate();
  const double D = mechanism.sensitivity;
  const Bracket level = enclose(numerics::ratio(D, mechanism.scale));
  if (epsilon.value() >= level.upper()) return Bracket(0.0);
  // The best m is the smallest integer with loss above eps: 0 < xi <= 2/b. The sensitivity is at most 2^40, so
  // rounding moves the product below by less than 1, and the neighbours on both sides settle it.
  const double guess = std::floor((epsilon.value() * mechanism.scale + D) / 2.0) + 1.0;
  Bracket best(0.0);
  const double step = rounding::div_up(2.0, mechanism.scale);
  for (double m = std::max(1.0, guess - 1.0); m <= std::min(D, guess + 1.0); ++m) {
    const Bracket xi = excess_loss(mechanism, m, epsilon.value());
    if (xi.upper() >= 0.0 && xi.lower() <= step) best = max(best, tail_difference(mechanism, m, xi));
  }
  return clamp(best, 0.0, 1.0);
}

Bracket rdp(const DiscreteLaplace& mechanism, Alpha alpha) {
  mechanism.validate();
  const double D = mechanism.sensitivity;
  const Bracket level = enclose(numerics::ratio(D, mechanism.scale));
  if (D == 0.0) return Bracket(0.0);
  if (std::isinf(alpha.value())) return level;
  if (D > kMostAtoms) return min(renyi_from_profile(profile_of(mechanism)).at(alpha), level);
  const Bracket rate = Bracket(1.0) / mechanism.scale;
  const Bracket log_ends = -numerics::log1p(exp(-rate));
  const Bracket log_inner = numerics::log(-expm1(-rate)) + log_ends;
  SymmetricMoment moment(alpha);
  moment.add(log_ends, level);
  for (double x = std::floor(D / 2.0) + 1.0; x < D; ++x) moment.add(log_inner - (D - x) * rate, (2.0 * x - D) * rate);
  return min(moment.divergence(), level);
}

ProfileTraits profile_traits(const DiscreteLaplace& mechanism) {
  return {.tight = true,
          .loss_bound = enclose(numerics::ratio(mechanism.sensitivity, mechanism.scale)).upper(),
          .log_concave = false,
          .loss_step = (is_whole(mechanism.sensitivity / 2.0) ? 2.0 : 1.0) / mechanism.scale};
}

}  // namespace doeblin
