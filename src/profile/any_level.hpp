// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {

/// A divergence of a symmetric pair at levels of either sign: for x < 0 it is 1 - e^x + e^x D_{e^{-x}}.
template <typename AtLeastOne>
Bracket at_any_level(double x, const AtLeastOne& divergence) {
  if (x >= 0.0) return divergence(x);
  return -numerics::expm1(Bracket(x)) + numerics::exp(Bracket(x)) * divergence(-x);
}

/// It decreases in the level.
template <typename AtLeastOne>
Bracket at_any_level(const Bracket& level, const AtLeastOne& divergence) {
  if (level.is_exact()) return clamp(at_any_level(level.lower(), divergence), 0.0, 1.0);
  return {std::max(0.0, at_any_level(level.upper(), divergence).lower()),
          std::min(1.0, at_any_level(level.lower(), divergence).upper())};
}

}  // namespace doeblin
