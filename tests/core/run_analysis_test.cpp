// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/run_analysis.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::pipeline {
namespace {

TEST(RunAnalysis, NamesReadBack) {
  for (const auto& one : kRunAnalyses) {
    EXPECT_EQ(run_analysis_named(one.word), one.value);
    EXPECT_EQ(name(one.value), one.word);
  }
  EXPECT_EQ(kRunAnalyses.begin()->value, RunAnalysis::kBest);
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
