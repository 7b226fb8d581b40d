// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/types.hpp"
#include "doeblin/iteration/noisy_steps.hpp"

/// One step w <- Pi(w - eta (g + Z)) of noisy gradient descent, as a step of a hidden run (catalogue I, model).
namespace doeblin {

/// The Lipschitz constant of w -> w - eta grad f(w) for a convex, beta-smooth, rho-strongly convex f.
///
/// Formula  max(|1 - eta rho|, |1 - eta beta|), for every eta; above 1 when eta > 2/beta
/// Domain   eta > 0, 0 <= rho <= beta
[[nodiscard]] Bracket gradient_lipschitz(double learning_rate, double smoothness, double strong_convexity);

/// The constants of one step.
struct GradientStep {
  double learning_rate;
  double sigma;      ///< scale of the noise on the gradient
  double lipschitz;  ///< bound on the gradient of one record
  double batch = 1.0;

  void validate() const;
  /// eta sigma
  [[nodiscard]] Bracket noise() const;
  /// 2 eta L/b when a record is exchanged, eta L/b when it is left out.
  [[nodiscard]] Bracket shift(Relation relation) const;
};

}  // namespace doeblin
