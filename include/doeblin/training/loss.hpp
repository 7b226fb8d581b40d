// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Losses of a linear model: a convex function of the prediction m = <w, x> and the label y of one record.
namespace doeblin::training {

enum class LossKind {
  kLogistic,       ///< log(1 + e^{-y m}), y = -1 or 1
  kSmoothedHinge,  ///< E(1 - y m + width Z)_+ with Z standard normal, y = -1 or 1: the hinge, smoothed (I17)
  kHuber,          ///< r^2/2 up to |r| = width, linear from there on; r = m - y
  kSquared         ///< r^2/2
};

struct Loss {
  LossKind kind = LossKind::kLogistic;
  /// Of the smoothing, or where Huber's loss becomes linear; the others do not use it.
  double width = 1.0;

  /// Labels are -1 and 1.
  [[nodiscard]] bool is_classification() const {
    return kind == LossKind::kLogistic || kind == LossKind::kSmoothedHinge;
  }
  [[nodiscard]] bool has_width() const { return kind == LossKind::kSmoothedHinge || kind == LossKind::kHuber; }

  [[nodiscard]] double value(double prediction, double label) const;
  /// With respect to the prediction. The error is at most kDerivativeError times the largest derivative on the domain.
  [[nodiscard]] double derivative(double prediction, double label) const;

  /// Errors   InvalidArgument unless 1e-6 <= width <= 1e6
  void validate() const;
};

inline constexpr double kDerivativeError = 0x1p-48;

/// What is known of every record: how long its feature vector is, and how large its label.
struct RecordBounds {
  double feature_norm;
  double label = 1.0;
};

/// Of the loss of one record as a function of w, for |w| <= radius. Rounded up.
struct LossConstants {
  double slope;       ///< of the loss as a function of the prediction
  double curvature;   ///< likewise: bound on the second derivative
  double lipschitz;   ///< slope |x|
  double smoothness;  ///< curvature |x|^2
};

/// Formula  logistic: slope 1/(1 + e^{-X R}), curvature 1/4; smoothed hinge: slope Phi((1 + X R)/width), curvature
///          1/(width sqrt(2 pi)); Huber: slope min(width, X R + Y), curvature 1; squared: slope X R + Y, curvature 1
/// Source   catalogue I, model; I17 for the link function alone, which is sqrt(2 pi) sharper than L/width
/// Domain   bounds and radius finite, >= 0
[[nodiscard]] LossConstants constants_of(const Loss& loss, const RecordBounds& bounds, double radius);

/// "logistic", "smoothed_hinge", "huber" or "squared".
[[nodiscard]] std::string_view name(LossKind kind);
/// Errors   InvalidArgument for other names
[[nodiscard]] LossKind loss_named(std::string_view text);

}  // namespace doeblin::training
