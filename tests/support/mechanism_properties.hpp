// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "support/generators.hpp"

/// Properties that every profile and Renyi curve has, whatever the mechanism.
namespace doeblin::test {

/// delta falls with epsilon, is convex in e^epsilon, stays in [0, 1], and epsilon is its inverse on the safe side.
inline void check_profile(const Profile& profile, double largest_epsilon) {
  const double a = uniform(0.0, largest_epsilon);
  const double b = a + uniform(0.0, largest_epsilon);
  const Bracket at_a = profile.delta(Epsilon(a));
  const Bracket at_b = profile.delta(Epsilon(b));
  RC_ASSERT(at_a.lower() >= 0.0 && at_a.upper() <= 1.0);
  RC_ASSERT(at_b.lower() <= at_a.upper());
  // Convexity: the point between in e^epsilon lies below the chord.
  const double gamma = 0.5 * (std::exp(a) + std::exp(b));
  if (std::isfinite(gamma)) {
    const Bracket between = profile.delta(Epsilon(std::log(gamma)));
    const double chord = 0.5 * (at_a.upper() + at_b.upper());
    RC_ASSERT(between.lower() <= chord + 1e-12 * at_a.upper() * (1.0 + b));
  }
  const double delta = log_uniform(1e-200, 1.0);
  const Bracket epsilon = profile.epsilon(Delta(delta));
  if (std::isfinite(epsilon.upper())) RC_ASSERT(profile.delta(Epsilon(epsilon.upper())).upper() <= delta);
  if (epsilon.lower() > 0.0 && std::isfinite(epsilon.lower()))
    RC_ASSERT(profile.delta(Epsilon(epsilon.lower())).upper() > delta);
}

/// The divergence grows with the order, and never exceeds the largest loss.
inline void check_renyi(const RenyiCurve& curve, double loss_bound) {
  const double alpha = 1.0 + log_uniform(1e-3, 1e3);
  const double more = alpha * (1.0 + log_uniform(1e-3, 1.0));
  RC_ASSERT(curve.at(Alpha(alpha)).lower() >= 0.0);
  RC_ASSERT(curve.at(Alpha(alpha)).lower() <= curve.at(Alpha(more)).upper());
  RC_ASSERT(curve.at(Alpha(alpha)).lower() <= loss_bound);
}

}  // namespace doeblin::test
