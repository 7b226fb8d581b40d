// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/loss.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "doeblin/core/bracket.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/mills.hpp"

namespace doeblin::training {
namespace {

struct LossName {
  const char* text;
  LossKind kind;
};
constexpr LossName kLossNames[] = {{"logistic", LossKind::kLogistic},
                                   {"smoothed_hinge", LossKind::kSmoothedHinge},
                                   {"huber", LossKind::kHuber},
                                   {"squared", LossKind::kSquared}};

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::numbers::sqrt2); }

double normal_density(double x) { return std::exp(-0.5 * x * x) / std::sqrt(2.0 * std::numbers::pi); }

}  // namespace

double Loss::value(double prediction, double label) const {
  switch (kind) {
    case LossKind::kLogistic: {
      const double margin = label * prediction;
      return std::max(-margin, 0.0) + std::log1p(std::exp(-std::abs(margin)));
    }
    case LossKind::kSmoothedHinge: {
      const double gap = (1.0 - label * prediction) / width;
      return width * std::max(0.0, normal_density(gap) + gap * normal_cdf(gap));
    }
    case LossKind::kHuber: {
      const double residual = std::abs(prediction - label);
      return residual <= width ? 0.5 * residual * residual : width * (residual - 0.5 * width);
    }
    case LossKind::kSquared: return 0.5 * (prediction - label) * (prediction - label);
  }
  throw InternalError("broken invariant: unknown loss");
}

double Loss::derivative(double prediction, double label) const {
  switch (kind) {
    case LossKind::kLogistic: return -label / (1.0 + std::exp(label * prediction));
    case LossKind::kSmoothedHinge: return -label * normal_cdf((1.0 - label * prediction) / width);
    case LossKind::kHuber: return std::clamp(prediction - label, -width, width);
    case LossKind::kSquared: return prediction - label;
  }
  throw InternalError("broken invariant: unknown loss");
}

void Loss::validate() const {
  if (has_width()) require(width >= 1e-6 && width <= 1e6, "width", width, "1e-6 <= width <= 1e6");
}

LossConstants constants_of(const Loss& loss, const RecordBounds& bounds, double radius) {
  loss.validate();
  require(bounds.feature_norm >= 0.0 && std::isfinite(bounds.feature_norm), "feature norm", bounds.feature_norm,
          "0 <= feature norm < infinity");
  require(bounds.label >= 0.0 && std::isfinite(bounds.label), "label bound", bounds.label, "0 <= bound < infinity");
  require(radius >= 0.0 && std::isfinite(radius), "radius", radius, "0 <= radius < infinity");
  const Bracket norm(bounds.feature_norm);
  const Bracket largest = norm * radius;
  Bracket slope(1.0), curvature(1.0);
  switch (loss.kind) {
    case LossKind::kLogistic:
      slope = 1.0 / (1.0 + numerics::exp(-largest));
      curvature = Bracket(0.25);
      break;
    case LossKind::kSmoothedHinge:
      // Phi(u) is the tail at -u.
      slope = Bracket(0.0, std::min(1.0, numerics::normal_tail(-((1.0 + largest) / loss.width).upper()).upper()));
      curvature = 1.0 / (Bracket(loss.width) * numerics::sqrt(2.0 * Bracket(3.14159265358979311, 3.14159265358979356)));
      break;
    case LossKind::kHuber: slope = min(Bracket(loss.width), largest + bounds.label); break;
    case LossKind::kSquared: slope = largest + bounds.label; break;
  }
  const LossConstants constants{slope.upper(), curvature.upper(), (slope * norm).upper(),
                                (curvature * norm * norm).upper()};
  require(std::isfinite(constants.lipschitz) && std::isfinite(constants.smoothness), "feature norm",
          bounds.feature_norm, "bounds whose constants a double can hold");
  return constants;
}

std::string_view name(LossKind kind) {
  for (const LossName& one : kLossNames)
    if (one.kind == kind) return one.text;
  throw InternalError("broken invariant: unknown loss");
}

LossKind loss_named(std::string_view text) {
  for (const LossName& one : kLossNames)
    if (one.text == text) return one.kind;
  throw InvalidArgument("loss", fmt::format("'{}'", text), "logistic, smoothed_hinge, huber or squared");
}

}  // namespace doeblin::training
