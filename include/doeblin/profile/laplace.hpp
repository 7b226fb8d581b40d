// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// Adds Laplace noise of the given scale to a number that one person moves by at most `sensitivity`. Catalogue P2.
struct Laplace {
  double scale;
  double sensitivity = 1.0;

  void validate() const;
};

/// Formula  delta = [1 - exp((eps - sensitivity/scale)/2)]_+
/// Source   [BBG18] Theorem 3 with its sign corrected (catalogue P2, E)
/// Bound    relative width <= 1e-13 unless eps is within 1e-29 of sensitivity/scale
/// Method   the exponent in double-double, then expm1
[[nodiscard]] Bracket delta(const Laplace& mechanism, Epsilon epsilon);

/// Formula  log(alpha/(2 alpha - 1) e^{(alpha-1) t} + (alpha-1)/(2 alpha - 1) e^{-alpha t})/(alpha - 1),
///          t = sensitivity/scale
/// Source   [Mironov2017] Table II; catalogue I15
[[nodiscard]] Bracket rdp(const Laplace& mechanism, Alpha alpha);

[[nodiscard]] ProfileTraits profile_traits(const Laplace& mechanism);

}  // namespace doeblin
