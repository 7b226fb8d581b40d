// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "doeblin/core/accuracy.hpp"
#include "doeblin/core/run_analysis.hpp"
#include "doeblin/core/words.hpp"

namespace doeblin {

/// How compositions without a closed form are analysed.
enum class Accountant {
  kAuto,   ///< privacy-loss distributions; where they cannot be had or miss the goal, everything else too
  kPld,    ///< privacy-loss distributions
  kRenyi,  ///< Renyi divergences
  kBasic,  ///< epsilons and deltas add
};

inline constexpr auto kAccountants = words<Accountant>({{"auto", Accountant::kAuto},
                                                        {"pld", Accountant::kPld},
                                                        {"renyi", Accountant::kRenyi},
                                                        {"basic", Accountant::kBasic}});

/// How Renyi divergences become epsilon and delta; the published rules are there to reproduce figures and as baselines.
enum class RenyiRule {
  kOptimal,
  kCanonneKamathSteinke,  ///< [CKS20] Proposition 12
  kTextbook,              ///< epsilon + log(1/delta)/(alpha - 1)
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

inline constexpr auto kMixingAnalyses = words<MixingAnalysis>({
    {"best", MixingAnalysis::kBest, "exact where the mechanism is a matrix, else the kernel's curve"},
    {"kernel", MixingAnalysis::kKernel, "the kernel's coefficient at every epsilon (M2)"},
    {"dobrushin", MixingAnalysis::kDobrushin, "gamma delta, by the Dobrushin coefficient (M1)"},
    {"doeblin", MixingAnalysis::kDoeblin, "gamma delta, by the Doeblin coefficient (M6)"},
    {"ultra-mixing", MixingAnalysis::kUltraMixing, "tight rule for ultra-mixing kernels (M5)"},
    {"published-doeblin", MixingAnalysis::kPublishedDoeblin, "[BBGG19] Theorem 1, Doeblin (M3)"},
    {"published-ultra", MixingAnalysis::kPublishedUltraMixing, "[BBGG19] Theorem 1, ultra-mixing (M4)"},
    {"none", MixingAnalysis::kNone, "the mechanism alone: post-processing does no harm"},
});

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

}  // namespace doeblin
