// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// Reports a bit truthfully with probability p. Catalogue P3.
struct RandomizedResponse {
  double p;

  void validate() const;
};

/// Formula  delta = [p - e^eps (1 - p)]_+ for p >= 1/2, symmetric in p <-> 1 - p
/// Source   catalogue P3
[[nodiscard]] Bracket delta(const RandomizedResponse& mechanism, Epsilon epsilon);

/// Formula  log(p^alpha (1-p)^{1-alpha} + (1-p)^alpha p^{1-alpha})/(alpha - 1)
[[nodiscard]] Bracket rdp(const RandomizedResponse& mechanism, Alpha alpha);

[[nodiscard]] ProfileTraits profile_traits(const RandomizedResponse& mechanism);

}  // namespace doeblin
