// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// The Renyi curve of a symmetric pair after Poisson sampling.
///
/// Formula  at integer alpha, log(1 + sum_{l=2}^alpha C(alpha, l) (1-q)^{alpha-l} q^l (e^{(l-1) D_l} - 1))/(alpha-1);
///          at others C2 from the pair's profiles, or where these underflow, convexity of (alpha-1) D_alpha between
///          integers
/// Source   catalogue S9; the other direction is never larger for a pair that a reflection exchanges [MTZ19]
/// Bound    encloses the divergence, relative width <= 1e-6 (1e-12 at integers up to kLargestSum)
/// Method   the constant and linear terms are left out of the sum, so that nothing cancels at small rates
[[nodiscard]] RenyiCurve poisson_renyi(const RenyiCurve& base, const Bracket& rate, const LossPair& sampled_pair);

/// One direction of the same, (1-q) Q + q P against Q, from above, for any pair whose curve is at most `base`: the sum of
/// upper ends at whole orders, chords of (alpha-1) D_alpha between them. Infinite from kLargestSum on.
[[nodiscard]] double removing_renyi(const RenyiCurve& base, const Bracket& rate, Alpha alpha);

inline constexpr double kLargestSum = 1024.0;

}  // namespace doeblin
