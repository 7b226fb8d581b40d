// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/profile/renyi_curve.hpp"
#include "doeblin/subsampling/subsampling.hpp"

/// Renyi curves of samples of anything that has one itself, from above.
namespace doeblin {

/// j of some people become part of a sample with weight w_j, and `apart(j)` bounds what that makes of the mechanism.
///
/// Formula  log(w_0 + sum_{j>=1} w_j e^{(alpha-1) R_j(alpha)})/(alpha-1), R_j the curve for j people
/// Source   catalogue C6: moments of mixtures with the same weights are at most the mean of the moments
/// Domain   infinite where a needed R_j is, or where the weights leave something out
[[nodiscard]] RenyiCurve mixed_renyi(const std::function<RenyiCurve(double people)>& apart, const CountWeights& counts);

/// The same people are removed, and what they do to the mechanism is noise that each draw moves further.
///
/// Formula  removing: alpha/(alpha-1) log sum_j w_j e^{(alpha-1) R_j/alpha}; adding: at most -log w_0; each at most the
///          formula above. Lower: of one j alone, (alpha log w_j + (alpha-1) R_j)/(alpha-1)
/// Source   catalogue S9: Minkowski's inequality for the mixture, and its largest term
[[nodiscard]] RenyiCurve removed_renyi(const std::function<RenyiCurve(double people)>& apart,
                                       const CountWeights& counts);

/// Poisson sampling of a mechanism with this curve, when somebody is added or removed.
///
/// Formula  the larger of two directions: removing, the sum of S9 with upper ends; adding, at most -log(1 - q); each at
///          most the formula above
/// Source   catalogue S9, C6
[[nodiscard]] RenyiCurve poisson_renyi_bound(const RenyiCurve& base, const Bracket& rate);

/// The smaller of two curves that both hold; the lower ends of the first.
[[nodiscard]] RenyiCurve tightened(const RenyiCurve& curve, const RenyiCurve& other);

}  // namespace doeblin
