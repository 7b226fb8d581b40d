// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/composition/loss_composition.hpp"
#include "doeblin/subsampling/noise_mixture.hpp"

/// Hidden runs whose batches are Poisson samples: sampling and hiding the iterates together (catalogue I18).
namespace doeblin {

/// A run of alike steps with Gaussian noise; lengths are in units of the noise of one step.
struct SampledRun {
  Bracket jump;                           ///< what one record moves a step that uses it
  Bracket lipschitz{1.0};                 ///< of the map of one step
  double diameter = rounding::kInfinity;  ///< of the domain
  double rate = 1.0;                      ///< probability that a step uses the record
  double steps = 1.0;
  double rounding = 0.0;  ///< see NoisySteps: how much further apart computing a step may move two runs
  /// Every state is seen: only the sampling counts.
  bool is_public = false;
  /// The probability that the Lipschitz constant does not hold (a batch that is too large); charged to delta wherever
  /// hiding the states counts.
  double failure = 0.0;

  void validate() const;
};

/// The shift that each of the last `tail` steps makes so that the whole distance is gone at the end.
///
/// Formula  z = min(D, (Delta + r)(1 - c^{T-tail})/(1 - c)), a = z c^tail (1 - c)/(1 - c^tail) + r, r the rounding
/// Bound    from above
[[nodiscard]] double sampled_move(const SampledRun& run, double tail);

/// The profile of releasing the last state only, for adding or removing one record.
///
/// Formula  the composition, over the last tail steps, of (1-q) N(a) + q N(a + Delta) against N(0), the larger of both
///          directions; at the best of several tails, the whole run (ordinary composition) among them
/// Source   catalogue I18
/// Bound    `upper` only and `lower` = 0, unless the states are public: then both, as for any composition. Jumps above
///          12 are bounded by Gaussian mechanisms, whether sampled or not; a rate of 1 is one
[[nodiscard]] Profile hidden_sampling_profile(const SampledRun& run, const AccuracyGoal& goal = kCompositionGoal);

}  // namespace doeblin
