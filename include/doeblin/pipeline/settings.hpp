// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "doeblin/accounting/composition.hpp"
#include "doeblin/accounting/loss_composition.hpp"
#include "doeblin/pipeline/run_analysis.hpp"

namespace doeblin::pipeline {

struct Schedule;

/// How compositions without a closed form are analysed.
enum class Accountant {
  kAuto,   ///< privacy-loss distributions; where they cannot be had or miss the goal, everything else too
  kPld,    ///< privacy-loss distributions
  kRenyi,  ///< Renyi divergences
  kBasic,  ///< epsilons and deltas add
};

/// Choices that change how tight and how fast an answer is, never whether it holds.
struct Settings {
  Accountant accountant = Accountant::kAuto;
  RenyiRule renyi_rule = RenyiRule::kOptimal;
  /// Forget what is known about a mechanism before it is sampled.
  bool black_box_sampling = false;
  AccuracyGoal goal = kCompositionGoal;
  /// How hidden runs are analysed, whatever they say themselves.
  std::optional<RunAnalysis> run_analysis = std::nullopt;
  /// Constants that change from step to step, for the noisy_sgd of the expression.
  std::shared_ptr<const Schedule> schedule = nullptr;
};

}  // namespace doeblin::pipeline
