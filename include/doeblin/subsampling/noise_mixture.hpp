// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/shifted_noise.hpp"
#include "doeblin/subsampling/subsampling.hpp"

/// Pairs of mixtures of shifted noise on the line: what sampling makes of a mechanism that adds noise when one person can
/// count several times, or stands on both sides, or when several people are sampled each for themselves.
namespace doeblin {

/// Weight of K(multiple), noise that is moved by a multiple of what one person moves.
struct Shift {
  Bracket weight;
  double multiple;
};

struct NoiseMixture {
  /// At least one; weights add up to 1 but for the rest.
  std::vector<Shift> shifts;
  /// At least the weight of what is left out.
  double rest = 0.0;

  /// Nobody moves anything.
  [[nodiscard]] static NoiseMixture still() { return {{{Bracket(1.0), 0.0}}}; }
  /// Each of `people` takes part with this probability.
  /// Domain: 0 < rate <= 1, people a whole number
  [[nodiscard]] static NoiseMixture binomial(double people, const Bracket& rate);
};

/// As many shifts as people count.
[[nodiscard]] NoiseMixture shifts_of(const CountWeights& counts);

/// The divergence of a mixture with its means at or right of 0 from one with its means at or left of 0.
///
/// Formula  P = sum_i w_i K(m_i), Q = sum_j v_j K(-n_j), m_i, n_j >= 0: the likelihood ratio A(z)/B(z),
///          A = sum_i w_i e^{a_i}, a_i the log ratio of K(m_i) to K(0) at z, B = sum_j v_j e^{b_j}, b_j that of K(n_j)
///          at -z, increases with z, and where it is e^eps,
///          delta = sum_i w_i D_{e^{a_i}}(K(m_i)||K(0)) + e^eps sum_j v_j e^{b_j} D_{e^{-b_j}}(K(n_j)||K(0))
/// Bound    relative width <= 1e-10 wherever delta > 1e-290, for noise whose own divergences are as narrow
/// Method   positive terms only; two points z with certified likelihood ratios on both sides of e^eps
/// Cost     Newton's method, about 6 passes over the shifts
[[nodiscard]] Bracket divergence(const ShiftedNoise& noise, const NoiseMixture& p, const NoiseMixture& q,
                                 Epsilon epsilon);

using SharedNoise = std::shared_ptr<const ShiftedNoise>;

/// The same as a pair. By the common test lemma it dominates every pair of mixtures around one origin whose components are
/// at most as far from it, whatever their directions. Catalogue N1.
[[nodiscard]] LossPair mixture_pair(const SharedNoise& noise, const NoiseMixture& p, const NoiseMixture& q);

/// sum_k Bin(k; m, 1/n) K(k) against K(0): sampling m of n with replacement, everybody else contributing nothing.
/// Catalogue S7.
[[nodiscard]] LossPair with_replacement_pair(const SharedNoise& noise, double n, double m);

/// (1-q) K(0) + q K(1) against (1-q) K(0) + q K(-1): Poisson sampling when one person is exchanged for another; for more
/// people sum_i Bin(i; k, q) K(i) and its mirror image. Catalogue S5, S10, S11.
[[nodiscard]] LossPair poisson_substitution_pair(const SharedNoise& noise, const Bracket& rate, double people = 1.0);

/// (1-q) N(move, 1) + q N(move + jump, 1) against N(0, 1): one step of a hidden run on sampled batches, in which the
/// trajectories are shifted by `move` under the cover of the noise. Catalogue I18.
/// Domain: move >= 0, jump >= 0, 0 < rate <= 1.
[[nodiscard]] LossPair shifted_poisson_pair(double move, double jump, double rate);

}  // namespace doeblin
