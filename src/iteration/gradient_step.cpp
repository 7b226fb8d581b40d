// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/gradient_step.hpp"

#include <cmath>

#include "doeblin/core/whole.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin {
namespace {

// |1 - x y| from both sides.
Bracket distance_from_one(double x, double y) {
  const Bracket gap = 1.0 - Bracket(x) * y;
  const Bracket tight = clamp(gap, rounding::next_down(std::fma(-x, y, 1.0)), rounding::next_up(std::fma(-x, y, 1.0)));
  if (tight.lower() >= 0.0) return tight;
  if (tight.upper() <= 0.0) return -tight;
  return {0.0, std::max(-tight.lower(), tight.upper())};
}

}  // namespace

Bracket gradient_lipschitz(double learning_rate, double smoothness, double strong_convexity) {
  require_noise("learning_rate", learning_rate);
  require(smoothness >= 0.0 && std::isfinite(smoothness), "smoothness", smoothness, "0 <= smoothness < infinity");
  require(strong_convexity >= 0.0 && strong_convexity <= smoothness, "strong_convexity", strong_convexity,
          "0 <= strong_convexity <= smoothness");
  return max(distance_from_one(learning_rate, strong_convexity), distance_from_one(learning_rate, smoothness));
}

void GradientStep::validate() const {
  require_noise("learning_rate", learning_rate);
  require_noise("sigma", sigma);
  require(lipschitz >= 0.0 && std::isfinite(lipschitz), "lipschitz", lipschitz, "0 <= lipschitz < infinity");
  require_whole("batch", batch, 1.0, 0x1p53, "an integer, batch >= 1");
  const Bracket noise = Bracket(learning_rate) * sigma;
  require(noise.lower() > 1e-150 && noise.upper() < 1e150, "learning_rate * sigma", noise.upper(),
          "1e-150 < learning_rate * sigma < 1e150");
  require((Bracket(learning_rate) * lipschitz).upper() < 1e150, "learning_rate * lipschitz", learning_rate * lipschitz,
          "learning_rate * lipschitz < 1e150");
}

Bracket GradientStep::noise() const { return Bracket(learning_rate) * sigma; }

Bracket GradientStep::shift(Relation relation) const {
  const double records = relation == Relation::kSubstitute ? 2.0 : 1.0;
  return records * Bracket(learning_rate) * lipschitz / batch;
}

}  // namespace doeblin
