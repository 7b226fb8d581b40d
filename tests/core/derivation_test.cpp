// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/derivation.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

// "P1" or "C5, C3": section letters of the catalogue, each with a number.
bool cites_catalogue(const std::string& source) {
  std::istringstream words(source);
  int ids = 0;
  for (std::string word; words >> word; ++ids) {
    if (word.back() == ',') word.pop_back();
    const bool is_id = word.size() >= 2 && std::string("PCSMIDN").find(word[0]) != std::string::npos &&
                       word.find_first_not_of("0123456789", 1) == std::string::npos;
    if (!is_id) return false;
  }
  return ids > 0;
}

TEST(Derivation, AssumptionsSayWhoAnswersForThem) {
  EXPECT_TRUE(checked("x").checked);
  EXPECT_FALSE(asserted("x").checked);
}

TEST(Derivation, EveryStepCitesTheCatalogueAndItsAssumptions) {
  for (const char* text : {"gaussian(1)|group(2)|compose(3)", "laplace(1)|group(2)|compose(3)", "twice_laplace(1,2)",
                           "randomized_response(.7)|group(2)", "discrete_gaussian(1)", "discrete_laplace(1)",
                           "black_box(1,1e-6)|compose(2)", "gdp(1)+zcdp(.1)", "rdp(2,.1)"}) {
    const Pipeline pipeline = parse(text);
    for (const Derived& one : pipeline.steps()) {
      const Step& step = one.step;
      EXPECT_TRUE(cites_catalogue(step.source)) << text << ": " << step.source;
      EXPECT_FALSE(step.stage.empty());
      EXPECT_FALSE(step.statement.empty());
      EXPECT_FALSE(step.assumptions.empty()) << step.stage;
    }
  }
}

TEST(Derivation, SourcesAreMarked) {
  const Pipeline pipeline = parse("gdp(1) | compose(2)");
  EXPECT_TRUE(pipeline.steps()[0].step.is_source);
  EXPECT_FALSE(pipeline.steps()[1].step.is_source);
}

}  // namespace
}  // namespace doeblin::pipeline
