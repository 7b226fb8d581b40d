// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/run_analysis.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::pipeline {
namespace {

TEST(RunAnalysis, NamesReadBack) {
  for (const RunAnalysisName& one : run_analyses()) {
    EXPECT_EQ(run_analysis_named(one.name), one.analysis);
    EXPECT_EQ(name(one.analysis), one.name);
  }
  EXPECT_EQ(run_analyses().front().analysis, RunAnalysis::kBest);
}

TEST(RunAnalysis, UnknownNamesListTheOthers) {
  try {
    static_cast<void>(run_analysis_named("magic"));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("asoodeh"), std::string::npos);
  }
}

}  // namespace
}  // namespace doeblin::pipeline
