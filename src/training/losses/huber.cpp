// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "doeblin/training/loss.hpp"

namespace doeblin::training {

// r^2/2 up to |r| = width, linear from there on; r = m - y. Slope at most min(width, X R + Y), curvature at most 1.
LossDefinition huber_loss() {
  return {.name = "huber",
          .is_classification = false,
          .width_meaning = "where huber becomes linear",
          .standard_width = 1.0,
          .value =
              [](double prediction, double label, double width) {
                const double residual = std::abs(prediction - label);
                return residual <= width ? 0.5 * residual * residual : width * (residual - 0.5 * width);
              },
          .derivative = [](double prediction, double label,
                           double width) { return std::clamp(prediction - label, -width, width); },
          .limits =
              [](const Bracket& largest, double label, double width) {
                return LossLimits{min(Bracket(width), largest + label), Bracket(1.0)};
              }};
}

}  // namespace doeblin::training
