// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <numbers>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"
#include "doeblin/training/loss.hpp"

namespace doeblin::training {
namespace {

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi); }

}  // namespace

// E(1 - y m + width Z)_+ with Z standard normal: slope at most Phi((1 + X R)/width), curvature at most
// 1/(width sqrt(2 pi)). I17 for the link function alone, which is sqrt(2 pi) sharper than L/width.
LossDefinition smoothed_hinge_loss() {
  return {.name = "smoothed_hinge",
          .is_classification = true,
          .width_meaning = "of the smoothing",
          .value =
              [](double prediction, double label, double width) {
                const double gap = (1.0 - label * prediction) / width;
                return width * std::max(0.0, normal_density(gap) + gap * normal_cdf(gap));
              },
          .derivative = [](double prediction, double label,
                           double width) { return -label * normal_cdf((1.0 - label * prediction) / width); },
          .limits =
              [](const Bracket& largest, double, double width) {
                // Phi(u) is the tail at -u.
                return LossLimits{
                    Bracket(0.0, std::min(1.0, numerics::normal_tail(-((1.0 + largest) / width).upper()).upper())),
                    1.0 / (Bracket(width) * numerics::sqrt(2.0 * Bracket(3.14159265358979311, 3.14159265358979356)))};
              }};
}

}  // namespace doeblin::training
