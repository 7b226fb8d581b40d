// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/audit/event.hpp"

namespace doeblin::audit {

struct LearningOptions {
  /// Of the claim that is to be tested.
  double delta = 0.0;
  /// The share of experiments in which the bound may fail.
  double failure = 1e-3;
  /// Weighted sums that are worth a try, beside those found in the outputs.
  std::vector<std::vector<double>> directions = {};
  /// Outputs are names of categories: only whether two are equal means anything.
  bool is_categorical = false;
};

/// Two events: one to bound epsilon with, and one to bound the level of Gaussian DP with.
struct LearnedEvents {
  Event for_epsilon;
  Event for_mu;
};

/// The events that promise the largest lower bounds.
///
/// Method   one half of the runs suggests events: tails of the output, or of weighted sums (coordinates, Fisher's
///          discriminant, the directions given), and unions of values or cells where one input is the likelier one; the
///          other half chooses among them by the bounds that it would certify itself, so that what was fitted too
///          closely, or came by luck, is seen for what it is
/// Domain   at least 2 outputs for each input, all of the same dimension
[[nodiscard]] LearnedEvents learn_events(const Outputs& first, const Outputs& second, const LearningOptions& options);

}  // namespace doeblin::audit
