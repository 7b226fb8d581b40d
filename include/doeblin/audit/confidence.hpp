// SPDX-License-Identifier: Apache-2.0
#pragma once

/// One-sided bounds of Clopper and Pearson on a probability, from how often an event came in independent runs.
namespace doeblin::audit {

/// A bound that is above the probability in at most a share `failure` of all experiments, whatever the probability is.
///
/// Formula  the largest p with Pr[Bin(trials, p) >= successes] <= failure; 0 without a success
/// Bound    never above that, and at most 1e-6 of it below
/// Domain   0 <= successes <= trials, 0 < failure < 1; counts need not be integers, for planning
[[nodiscard]] double binomial_lower(double successes, double trials, double failure);

/// A bound that is below the probability in at most a share `failure` of all experiments.
///
/// Formula  the smallest p with Pr[Bin(trials, p) <= successes] <= failure; 1 without a failure
/// Bound    never below that, and at most 1e-6 of it above
[[nodiscard]] double binomial_upper(double successes, double trials, double failure);

}  // namespace doeblin::audit
