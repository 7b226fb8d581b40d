// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/loss.hpp"

namespace doeblin::training {

// r^2/2 with r = m - y. Slope at most X R + Y, curvature at most 1.
LossDefinition squared_loss() {
  return {.name = "squared",
          .is_classification = false,
          .value = [](double prediction, double label,
                      double) { return 0.5 * (prediction - label) * (prediction - label); },
          .derivative = [](double prediction, double label, double) { return prediction - label; },
          .limits =
              [](const Bracket& largest, double label, double) {
                return LossLimits{largest + label, Bracket(1.0)};
              }};
}

}  // namespace doeblin::training
