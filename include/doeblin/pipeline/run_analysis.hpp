// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace doeblin::pipeline {

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

struct RunAnalysisName {
  RunAnalysis analysis;
  std::string name;
  std::string description;
};

/// All of them, the best first.
[[nodiscard]] const std::vector<RunAnalysisName>& run_analyses();

[[nodiscard]] std::string_view name(RunAnalysis analysis);

/// Throws InvalidArgument, naming those there are.
[[nodiscard]] RunAnalysis run_analysis_named(std::string_view text);

}  // namespace doeblin::pipeline
