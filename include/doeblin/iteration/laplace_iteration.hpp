// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "doeblin/iteration/hidden_run.hpp"
#include "doeblin/profile/renyi_curve.hpp"

/// Hidden runs on the line whose noise is not Gaussian (catalogue I5, I6, I15).
namespace doeblin {

/// The Renyi divergence of order alpha between the noise and the noise moved by a multiple of its scale.
using NoiseDivergence = std::function<Bracket(Alpha, const Bracket& moved)>;

/// Of Laplace noise ([Mironov2017]; catalogue I15, the g_alpha of Example 2).
[[nodiscard]] Bracket laplace_divergence(Alpha alpha, const Bracket& moved);

/// The Renyi curve of releasing X_released only, for any noise.
///
/// Formula  sum_t R_alpha(a_t/s_t) over feasible shifts; each use is paid for before the next one, by equal shifts in
///          the last k of the steps between them, at the best of several k
/// Source   [FMTT18] Theorem 22; catalogue I15
/// Domain   steps that are all alike
/// Bound    `upper` only; equal shifts in all steps are optimal when the maps neither contract nor expand
[[nodiscard]] RenyiCurve shifted_renyi(std::shared_ptr<const HiddenRun> run, std::vector<Use> uses,
                                       std::size_t released, NoiseDivergence noise);

/// An upper bound on log delta for Laplace noise.
///
/// Formula  start: [1 - e^{(eps - z)/2}]_+, z what the last use moves, in units of the scale, or the whole domain with
///          it if there are other uses; then d <- d [1 - e^{(log(1 + (g-1)/d) - c D)/2}]_+ for every later step; or
///          everything paid in the last step
/// Source   catalogue I6 with Laplace noise, I15
[[nodiscard]] double laplace_log_delta(const HiddenRun& run, const std::vector<Use>& uses, std::size_t released,
                                       Epsilon epsilon);

}  // namespace doeblin
