// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/pipeline.hpp"

#include <cmath>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "support/floating_point.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Pipeline, AnswersThreeQuestions) {
  const Pipeline pipeline = gaussian({.sigma = 1.0});
  EXPECT_EQ(pipeline.delta(Epsilon(1.0)), delta(Gdp::level(1.0), Epsilon(1.0)));
  EXPECT_TRUE(pipeline.epsilon(Delta(1e-5)).lower() > 4.37 && pipeline.epsilon(Delta(1e-5)).upper() < 4.38);
  EXPECT_EQ(pipeline.rdp(Alpha(2.0)), Bracket(1.0));
  EXPECT_EQ(pipeline.relation(), Relation::kNeutral);
}

// Levels are computed when a pipeline is built, not when it is asked.
TEST(Pipeline, IsBuiltInTheDefaultFloatingPointModeOnly) {
  const Pipeline part = gaussian({.sigma = 1.0});
  const auto refused = [](const auto& build) {
    return test::in_mode(test::round_upward, [&] { return test::throws<InvalidArgument>(build); });
  };
  EXPECT_TRUE(refused([] { return gaussian({.sigma = 1.0}); }));
  EXPECT_TRUE(refused([&] { return part | compose(2); }));
  EXPECT_TRUE(refused([&] { return sum({part, part}); }));
  EXPECT_TRUE(refused([&] { return part.epsilon(Delta(1e-5)); }));
}

// 3 * 3002399751580331 = 2^53 + 1, which no double holds.
TEST(Pipeline, CountsAreNeverRoundedDown) {
  const Settings pld{.accountant = Accountant::kPld};
  EXPECT_THROW(laplace({.scale = 1e9}) | compose(3.0, pld) | compose(3002399751580331.0, pld), InvalidArgument);
}

TEST(Pipeline, KeepsTheGuaranteeAfterEveryStep) {
  const Pipeline pipeline = laplace({.scale = 2.0}) | group(3) | compose(2);
  ASSERT_EQ(pipeline.steps().size(), 3u);
  EXPECT_EQ(pipeline.steps()[0].mechanism().profile().delta(Epsilon(0.5)), Bracket(0.0));
  EXPECT_GT(pipeline.steps()[1].mechanism().profile().delta(Epsilon(0.5)).lower(), 0.0);
  EXPECT_EQ(pipeline.steps()[1].step.stage, "group(k=3)");
}

TEST(Pipeline, StagesDoNotChangeThePipelineTheyContinue) {
  const Pipeline base = gdp(1.0);
  static_cast<void>(base | compose(5));
  EXPECT_EQ(base.steps().size(), 1u);
}

TEST(Pipeline, DifferentRelationsAddWhereOneIsTwoOfTheOther) {
  const auto related = [](Relation relation) {
    return Pipeline({Mechanism::of(Gdp::level(1.0)).about({.relation = relation}),
                     {.stage = "x", .source = "P7", .statement = "x"}});
  };
  // An exchange is a removal and an addition: 1 and 2 add up to sqrt 5.
  const Pipeline both = related(Relation::kAddRemove) + related(Relation::kSubstitute);
  EXPECT_EQ(both.relation(), Relation::kSubstitute);
  EXPECT_GE(both.delta(Epsilon(1.0)).upper(), gdp(std::sqrt(5.0)).delta(Epsilon(1.0)).lower());
  EXPECT_THROW(static_cast<void>(related(Relation::kZeroOut) + related(Relation::kSubstitute)), InvalidArgument);
  EXPECT_EQ((related(Relation::kAddRemove) + gdp(1.0)).relation(), Relation::kAddRemove);
  EXPECT_EQ((related(Relation::kAddRemove) | group(2) | compose(3)).relation(), Relation::kAddRemove);
}

// Answers may come from caches that are filled on first use; several threads may be the first.
TEST(Pipeline, ThreadsGetTheAnswersOfOne) {
  for (const char* expression :
       {"noisy_sgd(n=60, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, order='permuted')",
        "noisy_sgd(n=60, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, output='uniform_stop')",
        "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, analysis='contraction')",
        "noisy_sgd(n=40, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, diameter=1, public_tail=10)"}) {
    std::vector<Bracket> truth;
    const Pipeline alone = parse(expression);
    for (int i = 0; i < 16; ++i) truth.push_back(alone.delta(Epsilon(0.1 * i)));
    for (int round = 0; round < 20; ++round) {
      const Pipeline shared = parse(expression);
      std::vector<Bracket> found(64);
      {
        std::vector<std::jthread> threads;
        for (std::size_t t = 0; t < 4; ++t)
          threads.emplace_back([&, t] {
            for (std::size_t i = 0; i < 16; ++i)
              found[16 * t + (i + 4 * t) % 16] = shared.delta(Epsilon(0.1 * static_cast<double>((i + 4 * t) % 16)));
          });
      }
      for (std::size_t k = 0; k < found.size(); ++k) EXPECT_EQ(found[k], truth[k % 16]) << expression << ", " << k;
    }
  }
}

}  // namespace
}  // namespace doeblin::pipeline
