// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// Adds integer noise with Pr[x] proportional to exp(-|x|/scale) to an integer. Catalogue P7.
struct DiscreteLaplace {
  double scale;
  double sensitivity = 1.0;

  void validate() const;
};

/// Formula  max over integers m of (1 - e^{-n/b}) + e^{-n/b} (1 - e^{-xi})/(1 + e^{-1/b}),
///          n = sensitivity - m, xi = (2m - sensitivity)/b - eps, b the scale; 0 from eps = sensitivity/b on
/// Source   catalogue P7; geometric sums of C1
/// Bound    relative width <= 1e-12 unless eps is within rounding of a jump of the loss
[[nodiscard]] Bracket delta(const DiscreteLaplace& mechanism, Epsilon epsilon);

/// A sum over the sensitivity + 1 values of the loss; by C2 when there are more than 2^17.
[[nodiscard]] Bracket rdp(const DiscreteLaplace& mechanism, Alpha alpha);

[[nodiscard]] ProfileTraits profile_traits(const DiscreteLaplace& mechanism);

}  // namespace doeblin
