// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "doeblin/accounting/composition.hpp"
#include "doeblin/accounting/loss_composition.hpp"
#include "doeblin/pipeline/run_analysis.hpp"

namespace doeblin::pipeline {

/// How compositions without a closed form are analysed.
enum class Accountant {
  kAuto,   ///< privacy-loss distributions; where they cannot be had or miss the goal, everything else too
  kPld,    ///< privacy-loss distributions
  kRenyi,  ///< Renyi divergences
  kBasic,  ///< epsilons and deltas add
};

/// How post-processing by a kernel is analysed (catalogue M).
enum class MixingAnalysis {
  kBest,                  ///< exact where the mechanism is a matrix too, else kKernel
  kKernel,                ///< M2 with what is known about the kernel at every epsilon
  kDobrushin,             ///< M1
  kDoeblin,               ///< M6
  kUltraMixing,           ///< M5
  kPublishedDoeblin,      ///< M3
  kPublishedUltraMixing,  ///< M4
  kNone,                  ///< post-processing does no harm
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
  MixingAnalysis mixing = MixingAnalysis::kBest;
};

}  // namespace doeblin::pipeline
