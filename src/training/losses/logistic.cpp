// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/training/loss.hpp"

namespace doeblin::training {

// log(1 + e^{-y m}): slope at most 1/(1 + e^{-X R}), curvature at most 1/4.
LossDefinition logistic_loss() {
  return {.name = "logistic",
          .is_classification = true,
          .value =
              [](double prediction, double label, double) {
                const double margin = label * prediction;
                return std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
              },
          .derivative = [](double prediction, double label,
                           double) { return -label / (1.0 + std::exp(label * prediction)); },
          .limits =
              [](const Bracket& largest, double, double) {
                return LossLimits{1.0 / (1.0 + numerics::exp(-largest)), Bracket(0.25)};
              },
          .chance = [](double score) { return 1.0 / (1.0 + std::exp(-score)); }};
}

}  // namespace doeblin::training
