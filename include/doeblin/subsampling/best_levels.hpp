// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/subsampling/subsampling.hpp"

/// Rules for a number of changed records that have a level of their own for every number, for mechanisms of which nothing
/// but profiles of groups is known. Each level may be anything that the constraint allows; the best are found for every
/// epsilon.
///
/// Method   a divergence D_g(P||Q) is convex in g = e^{eps}, so that chords between places at which a profile was asked
///          lie above it. With chords for profiles the best levels are those of a linear program that is solved by
///          spending what the constraint allows where the slope is steepest
/// Cost     some 300 questions to the profile of every number that matters, once; then a pass over their chords
namespace doeblin {

/// Some of the records of a sample are exchanged, and j of them are j people's to the mechanism.
///
/// Formula  delta'(eps') = sum_{j>=1} w_j delta_j(eps_j), w_j the weight of j, for any levels eps_j >= eps' with
///          sum_{j>=1} w_j (e^{eps_j} - e^{eps'}) <= w_0 (e^{eps'} - 1)
/// Source   catalogue S3, S4, S10; `sampled_counts` is the case of equal levels
[[nodiscard]] Profile best_counts(const std::function<Profile(double)>& group_profile, const CountWeights& counts);

/// Poisson sampling when people are exchanged for others; the base is private for adding and removing.
///
/// Formula  delta'(eps') = sum_{j>=1} w_j (D_{a_j} + e^{eps'} b_j D_{1/b_j}), D the profile of j people at e^{eps}, for
///          any a_j >= 0, 0 < b_j <= 1 with sum_j w_j a_j <= w_0 (e^{eps'} - 1) + e^{eps'} sum_j w_j b_j
/// Source   catalogue S11
[[nodiscard]] Profile best_exchanges(const std::function<Profile(double)>& group_profile, const CountWeights& counts);

}  // namespace doeblin
