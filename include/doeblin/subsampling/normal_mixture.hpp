// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/loss_pair.hpp"

/// Pairs of mixtures of normal laws on the line: what sampling makes of a Gaussian mechanism when one person can count
/// several times, or stands on both sides.
namespace doeblin {

/// Weight of N(multiple * unit, 1).
struct NormalComponent {
  Bracket weight;
  double multiple;
};

/// The divergence of a mixture with its means at or right of 0 from one with its means at or left of 0.
///
/// Formula  P = sum_i w_i N(m_i c, 1), Q = sum_j v_j N(-n_j c, 1), m_i, n_j >= 0: the likelihood ratio A(z)/B(z),
///          A = sum_i w_i e^{a_i}, a_i = m_i c z - (m_i c)^2/2, B = sum_j v_j e^{-b_j}, b_j = n_j c z + (n_j c)^2/2,
///          increases with z, and where it is e^eps,
///          delta = sum_i w_i theta_{e^{a_i}}(m_i c) + e^eps sum_j v_j e^{-b_j} theta_{e^{b_j}}(n_j c)
/// Domain   weights that add up to 1; c >= 0
/// Bound    relative width <= 1e-10 wherever delta > 1e-290
/// Method   positive terms only; two points z with certified likelihood ratios on both sides of e^eps
/// Cost     Newton's method, about 6 passes over the components
[[nodiscard]] Bracket divergence(const std::vector<NormalComponent>& p, const std::vector<NormalComponent>& q,
                                 const numerics::Wide& unit, Epsilon epsilon);

/// sum_k Bin(k; m, 1/n) N(k mu, 1) against N(0, 1): sampling m of n with replacement, everybody else contributing
/// nothing. Catalogue S7.
[[nodiscard]] LossPair with_replacement_pair(const numerics::Wide& mu, double n, double m);

/// (1-q) N(0, 1) + q N(mu, 1) against (1-q) N(0, 1) + q N(-mu, 1): Poisson sampling when one person is exchanged for
/// another. Catalogue S5, S7.
[[nodiscard]] LossPair poisson_substitution_pair(const numerics::Wide& mu, double rate);

/// (1-q) N(move, 1) + q N(move + jump, 1) against N(0, 1): one step of a hidden run on sampled batches, in which the
/// trajectories are shifted by `move` under the cover of the noise. Catalogue I18.
/// Domain: move >= 0, jump >= 0, 0 < rate <= 1.
[[nodiscard]] LossPair shifted_poisson_pair(double move, double jump, double rate);

}  // namespace doeblin
