// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// The two tails of the privacy loss that a profile is made of, for a pair (P, Q): L = log(dP/dQ) under P, and L' the
/// loss of the reversed pair, under Q.
struct LossTails {
  Bracket above;  ///< Pr[L > eps]
  Bracket below;  ///< Pr[L' < -eps]
};

/// Formula  delta(eps) = Pr[L > eps] - e^eps Pr[L' < -eps]
/// Source   [BBG18] Theorem 5; catalogue C1
[[nodiscard]] Bracket delta_from_loss(const LossTails& tails, Epsilon epsilon);

/// The tails behind a profile, where they do not jump.
///
/// Formula  Pr[L' < -eps] = -d delta/d gamma at gamma = e^eps; Pr[L > eps] from the formula above
/// Domain   the profile of one pair; 0 < eps <= 700. At an atom of the loss the bracket covers both sides of it.
/// Bound    a convex function's slope lies between its two secants, here of relative step `step` in gamma
[[nodiscard]] LossTails loss_from_profile(const Profile& profile, Epsilon epsilon, double step = 0x1p-20);

}  // namespace doeblin
