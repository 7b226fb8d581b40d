// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/iteration/noisy_steps.hpp"

/// Privacy of a hidden run by shifting: a neighbour's trajectory is moved onto the other one, a little at each step
/// under the cover of that step's noise (catalogue I2, I3, I4, I16).
namespace doeblin {

/// The record is used at step `step` (from 1) and can move the result of that step by `shift`.
struct Use {
  std::size_t step;
  Bracket shift;
};

/// The Gaussian level of releasing X_released only.
///
/// Formula  mu^2 = min sum_t a_t^2/s_t^2 over a_t >= 0 with z_t = c_t z_{t-1} + Delta_t - a_t >= 0, z_0 = z_T = 0, and
///          over restarts: z_t0 = diameter at no cost for some t0
/// Source   catalogue I2 (one use), I3 (several: greatest convex minorant), I4 (restarts) [BSA24]
/// Domain   uses in increasing order of steps, all at most `released`; diameter > 0, infinity allowed
/// Bound    upper: the cost of shifts that are feasible, with the steps' rounding on top; lower: attained by linear
/// maps in the plane when the diameter is
///          infinite, and 0 otherwise
/// Method   pooling adjacent stretches from the right, each scaled at its own end, so nothing overflows in long runs
/// Cost     O(uses)
[[nodiscard]] Bracket shift_level(const NoisySteps& steps, const std::vector<Use>& uses, double diameter,
                                  std::size_t released);

/// The Gaussian level of the steps first+1, ..., last as a kernel whose two starting points are within `distance`: what
/// I2 gives for an initial shift, with the steps' rounding on top. Infinite for no steps at all.
[[nodiscard]] Bracket kernel_level(const NoisySteps& steps, std::size_t first, std::size_t last, double distance);

}  // namespace doeblin
