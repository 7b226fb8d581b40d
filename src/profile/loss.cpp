// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/loss.hpp"

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {

Bracket delta_from_loss(const LossTails& tails, Epsilon epsilon) {
  return clamp(tails.above - numerics::exp(Bracket(epsilon.value())) * tails.below, 0.0, 1.0);
}

LossTails loss_from_profile(const Profile& profile, Epsilon epsilon, double step) {
  const double eps = epsilon.value();
  require(eps > 0.0 && eps <= 700.0, "epsilon", eps, "0 < epsilon <= 700");
  require(step > 0.0 && step < 1.0, "step", step, "0 < step < 1");
  const double left = std::max(0.0, eps - step);
  const double right = eps + step;
  require(left < eps && eps < right, "step", step, "a step that changes epsilon");
  const Bracket here = profile.delta(epsilon);
  const Bracket gamma = numerics::exp(Bracket(eps));
  // Secants in gamma: gamma_right - gamma = gamma (e^{right - eps} - 1), and the same on the left.
  const Bracket fall_right = (here - profile.delta(Epsilon(right))) / (gamma * numerics::expm1(Bracket(right) - eps));
  const Bracket fall_left = (profile.delta(Epsilon(left)) - here) / (gamma * -numerics::expm1(Bracket(left) - eps));
  const double low = std::max(0.0, fall_right.lower());
  const Bracket below(low, std::max(low, std::min(1.0, fall_left.upper())));
  return {clamp(here + gamma * below, 0.0, 1.0), below};
}

}  // namespace doeblin
