// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "doeblin/core/bracket.hpp"

/// Losses of a linear model: a convex function of the prediction m = <w, x> and the label y of one record.
namespace doeblin::training {

/// Of a loss as a function of the prediction: enclosures of upper bounds on its first two derivatives.
struct LossLimits {
  Bracket slope;
  Bracket curvature;
};

/// All that is particular to one kind of loss; each has a file of its own in src/training/losses.
struct LossDefinition {
  std::string_view name;
  /// Labels are -1 and 1; else they are numbers.
  bool is_classification;
  /// What its width is, for help; empty for a loss without one.
  std::string_view width_meaning = {};
  double standard_width = 0.5;

  double (*value)(double prediction, double label, double width);
  /// With respect to the prediction. The error is at most kDerivativeError times the largest derivative on the domain.
  double (*derivative)(double prediction, double label, double width);
  /// For predictions up to `largest` = X R and labels up to `label` = Y.
  LossLimits (*limits)(const Bracket& largest, double label, double width);
  /// The chance of a class whose score this is, of two; null where a score says nothing about chances.
  double (*chance)(double score) = nullptr;
};

inline constexpr double kDerivativeError = 0x1p-48;

/// A row of the table of losses; never null.
using LossKind = const LossDefinition*;

/// All losses.
[[nodiscard]] std::span<const LossDefinition> losses();
/// Their names, as "a, b or c".
[[nodiscard]] std::string loss_list();
/// The first one for classes, or for numbers.
[[nodiscard]] LossKind standard_loss(bool is_classification = true);
/// Errors   InvalidArgument for a name that no loss has
[[nodiscard]] LossKind loss_named(std::string_view text);
[[nodiscard]] std::string_view name(LossKind kind);

struct Loss {
  LossKind kind = standard_loss();
  /// For losses that have one.
  double width = 1.0;

  [[nodiscard]] bool is_classification() const { return kind->is_classification; }
  [[nodiscard]] bool has_width() const { return !kind->width_meaning.empty(); }
  [[nodiscard]] bool has_chance() const { return kind->chance != nullptr; }

  [[nodiscard]] double value(double prediction, double label) const { return kind->value(prediction, label, width); }
  [[nodiscard]] double derivative(double prediction, double label) const {
    return kind->derivative(prediction, label, width);
  }

  /// Errors   InvalidArgument unless 1e-6 <= width <= 1e6
  void validate() const;
};

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

/// Formula  the limits of the loss, times |x| and |x|^2
/// Source   catalogue I, model
/// Domain   bounds and radius finite, >= 0
[[nodiscard]] LossConstants constants_of(const Loss& loss, const RecordBounds& bounds, double radius);

}  // namespace doeblin::training
