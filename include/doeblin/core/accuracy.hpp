// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>

#include "doeblin/core/bracket.hpp"

namespace doeblin {

/// How narrow an answer is meant to be.
struct AccuracyGoal {
  double epsilon_width = 1e-11;          ///< absolute, in nats
  double epsilon_relative_width = 2e-6;  ///< if that is wider, for an epsilon above `large_epsilon`
  double large_epsilon = 0.0;
  double delta_width = 2e-6;  ///< relative

  [[nodiscard]] double width_at(double epsilon) const {
    return epsilon > large_epsilon ? std::max(epsilon_width, epsilon_relative_width * epsilon) : epsilon_width;
  }
  [[nodiscard]] bool is_met_by_epsilon(const Bracket& epsilon) const {
    // An infinite width is not met by a share of infinity.
    return epsilon.is_exact() || (std::isfinite(epsilon.upper()) && epsilon.width() <= width_at(epsilon.upper()));
  }
  [[nodiscard]] bool is_met_by_delta(const Bracket& delta) const { return delta.relative_width() <= delta_width; }
};

/// What a composition is asked for unless told otherwise: nobody needs a thousandth of a nat above 100.
inline constexpr AccuracyGoal kCompositionGoal = {
    .epsilon_width = 1e-3, .epsilon_relative_width = 3e-4, .large_epsilon = 100.0, .delta_width = 1e-2};

}  // namespace doeblin
