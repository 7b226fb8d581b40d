// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "doeblin/core/words.hpp"

namespace doeblin {

/// How a hidden run is analysed.
enum class RunAnalysis {
  kBest,         ///< the best of shifting and contraction in blocks
  kShift,        ///< optimal shifts
  kContraction,  ///< non-linear contraction, step by step
  kFeldman,      ///< [FMTT18] as published, corrected
  kBalle,        ///< [BBGG19] as published, corrected
  kAsoodeh,      ///< [ADC20] as published, corrected
  kPublic,       ///< as if every state were released: ordinary composition
};

/// All of them, the best first.
inline constexpr auto kRunAnalyses = words<RunAnalysis>({
    {"best", RunAnalysis::kBest, "the tightest known: shifts, blocks that contract, sampling (I7, I15, I18)"},
    {"shift", RunAnalysis::kShift, "shifts under the cover of the noise (I2, I3, I4, I15)"},
    {"contraction", RunAnalysis::kContraction, "non-linear contraction, step by step (I6)"},
    {"asoodeh", RunAnalysis::kAsoodeh, "contraction as published [ADC20] (I5)"},
    {"balle", RunAnalysis::kBalle, "Renyi as published [BBGG19], textbook conversion (I1)"},
    {"feldman", RunAnalysis::kFeldman, "Renyi as published [FMTT18], textbook conversion (I1)"},
    {"public", RunAnalysis::kPublic, "every state assumed public: ordinary composition (I11)"},
});

[[nodiscard]] std::string_view name(RunAnalysis analysis);

/// Throws InvalidArgument, naming those there are.
[[nodiscard]] RunAnalysis run_analysis_named(std::string_view text);

}  // namespace doeblin
