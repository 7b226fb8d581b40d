// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// Any mechanism that is (epsilon, delta)-differentially private and of which nothing else is known. Catalogue P4.
struct BlackBox {
  double epsilon;
  double delta = 0.0;

  void validate() const;
};

/// The worst profile that such a mechanism can have; one mechanism attains it at every eps.
///
/// Formula  delta(eps) = delta0 + (1 - delta0) [e^eps0 - e^eps]_+/(1 + e^eps0)
/// Source   catalogue P4
[[nodiscard]] Bracket delta(const BlackBox& mechanism, Epsilon epsilon);

/// Infinite when delta0 > 0.
[[nodiscard]] Bracket rdp(const BlackBox& mechanism, Alpha alpha);

[[nodiscard]] ProfileTraits profile_traits(const BlackBox& mechanism);

}  // namespace doeblin
