// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// Adds integer noise with Pr[x] proportional to exp(-x^2/(2 sigma^2)) to an integer. Catalogue P7.
struct DiscreteGaussian {
  double sigma;
  double sensitivity = 1.0;

  void validate() const;
};

/// Formula  sum over integers k >= m - D of Pr[k] (1 - e^{-xi - (k - m + D) D/sigma^2}), D the sensitivity, m the
///          first integer whose loss D (2m - D)/(2 sigma^2) exceeds eps, xi that excess
/// Source   [CKS20] Theorem 7; catalogue P7
/// Bound    relative width <= 1e-11 below sigma = 3000; Euler-Maclaurin above it, relative width <= 1e-6
/// Cost     O(sigma) below 3000, O(1) above
[[nodiscard]] Bracket delta(const DiscreteGaussian& mechanism, Epsilon epsilon);

/// Formula  alpha D^2/(2 sigma^2) + log(T(alpha D)/T(0))/(alpha - 1), T(c) = sum_x exp(-(x - c)^2/(2 sigma^2)) <= T(0)
/// Source   [CKS20] Proposition 5
[[nodiscard]] Bracket rdp(const DiscreteGaussian& mechanism, Alpha alpha);

[[nodiscard]] ProfileTraits profile_traits(const DiscreteGaussian& mechanism);

}  // namespace doeblin
