// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// Adds the sum of two independent Laplace noises: a Laplace mechanism whose output is made noisy once more.
/// Catalogue P6.
struct TwiceLaplace {
  double scale1;
  double scale2;
  double sensitivity = 1.0;

  void validate() const;
};

/// Formula  sup_x Pr[N > x - sensitivity] - e^eps Pr[N > x], attained where the likelihood ratio is e^eps
/// Source   [BBGG19] Lemma 3 and section 4; catalogue P6
/// Bound    relative width <= 1e-9 wherever delta > 1e-300, for scale ratios up to 1e6; exactly 0 from
///          eps = sensitivity/max(scale1, scale2) on
/// Method   sums of positive terms only, valid for equal scales too (see the source file)
[[nodiscard]] Bracket delta(const TwiceLaplace& mechanism, Epsilon epsilon);

/// By C2 from the profile. Bound: relative width <= 1e-6.
[[nodiscard]] RenyiCurve renyi_of(const TwiceLaplace& mechanism);

[[nodiscard]] ProfileTraits profile_traits(const TwiceLaplace& mechanism);

}  // namespace doeblin
