// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/run_analysis.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::pipeline {

const std::vector<RunAnalysisName>& run_analyses() {
  static const std::vector<RunAnalysisName> all = {
      {RunAnalysis::kBest, "best", "the tightest known: shifts, blocks that contract, sampling (I7, I15, I18)"},
      {RunAnalysis::kShift, "shift", "shifts under the cover of the noise (I2, I3, I4, I15)"},
      {RunAnalysis::kContraction, "contraction", "non-linear contraction, step by step (I6)"},
      {RunAnalysis::kAsoodeh, "asoodeh", "contraction as published [ADC20] (I5)"},
      {RunAnalysis::kBalle, "balle", "Renyi as published [BBGG19], textbook conversion (I1)"},
      {RunAnalysis::kFeldman, "feldman", "Renyi as published [FMTT18], textbook conversion (I1)"},
      {RunAnalysis::kPublic, "public", "every state assumed public: ordinary composition (I11)"},
  };
  return all;
}

std::string_view name(RunAnalysis analysis) {
  for (const RunAnalysisName& one : run_analyses())
    if (one.analysis == analysis) return one.name;
  throw InternalError("broken invariant: unknown run analysis");
}

RunAnalysis run_analysis_named(std::string_view text) {
  std::string names;
  for (const RunAnalysisName& one : run_analyses()) {
    if (one.name == text) return one.analysis;
    names += (names.empty() ? "" : ", ") + one.name;
  }
  throw InvalidArgument("analysis", fmt::format("'{}'", text.substr(0, 40)), names);
}

}  // namespace doeblin::pipeline
