// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// The Renyi curve of a pair, the larger of both directions, from its two profiles.
///
/// Formula  E[e^{sL}] = 1 + s(s+1) int_0^inf (e^{s eps} delta(eps) + e^{-(s+1) eps} delta_rev(eps)) d eps,
///          s = alpha - 1; D_alpha = log(E[e^{sL}])/s
/// Source   [BBG18] Theorem 6; catalogue C2 (for a supremum over several pairs only the upper side holds: E)
/// Domain   profiles with a finite loss bound, or log-concave ones, or ones that lie below a log-concave one; anything
///          else gives [0, infinity]
/// Bound    encloses D_alpha; relative width <= 1e-6, or the width that 2^17 cells reach
/// Method   the profile is convex in e^eps: chords above, extended chords below; the tail of a log-concave profile
///          lies below the extension of its last secant
/// Cost     the profile is sampled once per resolution and curve, then every order costs one pass over the samples
[[nodiscard]] RenyiCurve renyi_from_pair(const LossPair& pair);
/// The forward direction alone, for pairs whose backward one is known to be smaller.
[[nodiscard]] RenyiCurve forward_renyi_from_pair(const LossPair& pair);
/// A symmetric pair, or a supremum of pairs (then the upper side only).
[[nodiscard]] RenyiCurve renyi_from_profile(const Profile& profile);

}  // namespace doeblin
