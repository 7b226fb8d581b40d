// SPDX-License-Identifier: Apache-2.0
#pragma once

/// How good the model of a noisy gradient descent can be expected to be. Predictions, not guarantees of privacy.
///
/// All bounds are on E[F(w)] - min F for the population loss F over the domain, when every record is drawn afresh from
/// the population and used once, gradients are not clipped, and the start is anywhere in the domain.
/// Source   [FMTT18] Theorems 28-32 with the factor 2 that their proofs leave on the table removed; catalogue I12, E
namespace doeblin {

struct SgdUtility {
  double steps;
  double learning_rate;
  double sigma;      ///< noise on the gradient, in every coordinate
  double lipschitz;  ///< bound on the gradient
  double diameter;
  double dimension;

  /// L^2 + d sigma^2, the mean square of a noisy gradient.
  [[nodiscard]] double gradient_square() const { return lipschitz * lipschitz + dimension * sigma * sigma; }
};

/// A uniformly random one of the states after steps 1, ..., n: D^2/(2 eta n) + eta G^2/2.
[[nodiscard]] double random_stop_excess(const SgdUtility& run);

/// A uniformly random start among the first half: the same with floor(n/2) + 1 in place of n.
[[nodiscard]] double skip_excess(const SgdUtility& run);

/// The last state, which the papers do not treat: the least over j of D^2/(2 eta j) + (eta G^2/2)(1 + H_{j-1}), by
/// averaging over ever shorter tails of the run.
[[nodiscard]] double last_iterate_excess(const SgdUtility& run);

}  // namespace doeblin
