// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/pipeline.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Pipeline, AnswersThreeQuestions) {
  const Pipeline pipeline = gaussian({.sigma = 1.0});
  EXPECT_EQ(pipeline.delta(Epsilon(1.0)), delta(Gdp::level(1.0), Epsilon(1.0)));
  EXPECT_TRUE(pipeline.epsilon(Delta(1e-5)).lower() > 4.37 && pipeline.epsilon(Delta(1e-5)).upper() < 4.38);
  EXPECT_EQ(pipeline.rdp(Alpha(2.0)), Bracket(1.0));
  EXPECT_EQ(pipeline.relation(), Relation::kNeutral);
}

TEST(Pipeline, KeepsTheGuaranteeAfterEveryStep) {
  const Pipeline pipeline = laplace({.scale = 2.0}) | group(3) | compose(2);
  ASSERT_EQ(pipeline.steps().size(), 3u);
  EXPECT_EQ(pipeline.steps()[0].guarantee.profile.delta(Epsilon(0.5)), Bracket(0.0));
  EXPECT_GT(pipeline.steps()[1].guarantee.profile.delta(Epsilon(0.5)).lower(), 0.0);
  EXPECT_EQ(pipeline.steps()[1].step.stage, "group(k=3)");
}

TEST(Pipeline, StagesDoNotChangeThePipelineTheyContinue) {
  const Pipeline base = gdp(1.0);
  static_cast<void>(base | compose(5));
  EXPECT_EQ(base.steps().size(), 1u);
}

TEST(Pipeline, DifferentRelationsDoNotAdd) {
  const auto related = [](Relation relation) {
    Guarantee guarantee = guarantee_of(Gdp::level(1.0));
    guarantee.relation = relation;
    return Pipeline({guarantee, {.stage = "x", .source = "P7", .statement = "x"}});
  };
  EXPECT_THROW(static_cast<void>(related(Relation::kAddRemove) + related(Relation::kSubstitute)), InvalidArgument);
  EXPECT_EQ((related(Relation::kAddRemove) + gdp(1.0)).relation(), Relation::kAddRemove);
  EXPECT_EQ((related(Relation::kAddRemove) | group(2) | compose(3)).relation(), Relation::kAddRemove);
}

}  // namespace
}  // namespace doeblin::pipeline
