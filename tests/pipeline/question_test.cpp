// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/question.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

TEST(Question, ArgumentsAreChecked) {
  EXPECT_NO_THROW((Question{Quantity::kEpsilon, 1e-5}.validate()));
  EXPECT_THROW((Question{Quantity::kEpsilon, 2.0}.validate()), InvalidArgument);
  EXPECT_THROW((Question{Quantity::kDelta, -1.0}.validate()), InvalidArgument);
  EXPECT_THROW((Question{Quantity::kRdp, 0.5}.validate()), InvalidArgument);
  EXPECT_STREQ(names(Quantity::kRdp).argument, "alpha");
}

TEST(Question, AnswersAreThoseOfThePipeline) {
  const Pipeline pipeline = parse("gaussian(sigma=2)");
  const Mechanism& guarantee = pipeline.mechanism();
  const Answer epsilon = answer(guarantee, {Quantity::kEpsilon, 1e-6});
  EXPECT_EQ(epsilon, (Answer{{Quantity::kEpsilon, 1e-6}, pipeline.epsilon(Delta(1e-6)), true, ""}));
  EXPECT_EQ(answer(guarantee, {Quantity::kDelta, 1.0}).value, pipeline.delta(Epsilon(1.0)));
  EXPECT_EQ(answer(guarantee, {Quantity::kRdp, 2.0}).value, pipeline.rdp(Alpha(2.0)));
}

TEST(Question, WiderThanPromisedHasAReason) {
  const Pipeline pipeline = parse("gaussian(sigma=2)");
  const auto why_not = [&](Quantity quantity, const Bracket& value) {
    const Answer one = answered(pipeline.mechanism(), {quantity, 0.5}, value);
    EXPECT_EQ(one.converged, one.why_not.empty());
    return one.why_not;
  };
  EXPECT_EQ(why_not(Quantity::kEpsilon, Bracket(1.0, 1.5)), "0.5 wide, need at most 3e-06");
  EXPECT_EQ(why_not(Quantity::kEpsilon, Bracket(1.0, rounding::kInfinity)), "no finite upper end was found");
  EXPECT_EQ(why_not(Quantity::kDelta, Bracket(0.25, 0.5)), "0.5 of it wide, need at most 2e-06");
  EXPECT_EQ(why_not(Quantity::kDelta, Bracket(0.0, 1e-12)), "");
  EXPECT_EQ(why_not(Quantity::kRdp, Bracket(1.0, 2.0)), "0.5 of it wide, need at most 2e-06");
  EXPECT_EQ(why_not(Quantity::kRdp, Bracket(1.0, 1.0)), "");
}

TEST(Question, WhatIsOnlyKnownIsSaid) {
  // Many mechanisms fit, the Gaussian one reaches the lower end.
  const Pipeline zcdp = parse("zcdp(rho=0.125)");
  const Answer wide = answer(zcdp.mechanism(), {Quantity::kEpsilon, 1e-6});
  EXPECT_FALSE(wide.converged);
  EXPECT_TRUE(wide.is_open());
  EXPECT_EQ(wide.lower_end, End::kAttained);
  EXPECT_EQ(wide.upper_end, End::kKnown);
  EXPECT_EQ(wide.why_not.find("between what some reach and what holds for all: 0.165"), 0u) << wide.why_not;
  // Less was asked for.
  AccuracyGoal goal = kCompositionGoal;
  goal.epsilon_width = 0.2;
  EXPECT_TRUE(answer(zcdp.mechanism(), {Quantity::kEpsilon, 1e-6}, goal).converged);
  EXPECT_EQ(answer(zcdp.mechanism(), {Quantity::kEpsilon, 1e-6}, goal).why_not, "");

  const Answer nobody = answered(zcdp.mechanism(), {Quantity::kEpsilon, 1e-6}, Bracket(0.0, 1.0));
  EXPECT_EQ(nobody.lower_end, End::kKnown);
  EXPECT_EQ(nobody.why_not, "nobody is known to come near the upper end");
  // As narrow as promised, whatever the ends are.
  EXPECT_TRUE(answered(zcdp.mechanism(), {Quantity::kEpsilon, 1e-6}, Bracket(1.0, 1.0009)).converged);
  EXPECT_FALSE(answered(zcdp.mechanism(), {Quantity::kEpsilon, 1e-6}, Bracket(1.0, 1.0011)).converged);
  EXPECT_TRUE(answered(zcdp.mechanism(), {Quantity::kDelta, 1.0}, Bracket(0.991, 1.0)).converged);
  EXPECT_FALSE(answered(zcdp.mechanism(), {Quantity::kDelta, 1.0}, Bracket(0.989, 1.0)).converged);

  const double deltas[] = {1e-6};
  double lower[1], upper[1];
  EXPECT_FALSE(answers(zcdp.mechanism(), Quantity::kEpsilon, deltas, lower, upper));
  EXPECT_TRUE(answers(zcdp.mechanism(), Quantity::kEpsilon, deltas, lower, upper, goal));
}

TEST(Question, OrdinaryAnswersAreAsNarrowAsPromised) {
  for (const char* text : {"black_box(epsilon=1, delta=1e-7)", "gaussian(sigma=2) | poisson(rate=0.1) | compose(10)",
                           "black_box(epsilon=0.1) | compose(20)", "gdp(1)", "laplace(scale=2) | group(2)"}) {
    const Pipeline pipeline = parse(text);
    EXPECT_TRUE(answer(pipeline.mechanism(), {Quantity::kEpsilon, 1e-6}).converged) << text;
    EXPECT_TRUE(answer(pipeline.mechanism(), {Quantity::kDelta, 0.5}).converged) << text;
  }
}

TEST(Question, InfiniteEpsilonsSayWhereTheyEnd) {
  const auto reachable = [](const char* text, double delta) {
    return answer(parse(text).mechanism(), {Quantity::kEpsilon, delta}).reachable;
  };
  EXPECT_EQ(reachable("black_box(epsilon=1, delta=1e-6)", 1e-7), (ReachableDelta{1e-6, true}));
  EXPECT_EQ(reachable("black_box(epsilon=1, delta=1e-6)", 1e-6), std::nullopt);
  EXPECT_EQ(reachable("black_box(epsilon=1, delta=0.1*1e-5)", 1e-6), std::nullopt);
  // Two of them fail with probability 1 - (1 - 1e-6)^2.
  const auto both = reachable("black_box(epsilon=1, delta=1e-6) | compose(2)", 1e-7);
  ASSERT_TRUE(both);
  EXPECT_GE(both->delta, 2e-6 - 1.0001e-12);
  EXPECT_LE(both->delta, 2.001e-6);
  EXPECT_TRUE(std::isfinite(parse("black_box(epsilon=1, delta=1e-6) | compose(2)")
                                .epsilon(Delta(both->is_reached ? both->delta : both->delta * 1.001))
                                .upper()));
}

TEST(Question, ManyAreAnsweredAsOne) {
  const Pipeline pipeline = parse("laplace(scale=1) | compose(3)");
  for (const Quantity quantity : {Quantity::kEpsilon, Quantity::kDelta, Quantity::kRdp}) {
    const std::vector<double> arguments = quantity == Quantity::kRdp ? std::vector{2.0, 8.0} : std::vector{0.01, 0.5};
    std::vector<double> lower(2), upper(2);
    EXPECT_TRUE(answers(pipeline.mechanism(), quantity, arguments, lower, upper));
    for (std::size_t i = 0; i < 2; ++i) {
      const Bracket one = answer(pipeline.mechanism(), {quantity, arguments[i]}).value;
      EXPECT_LE(std::max(lower[i], one.lower()), std::min(upper[i], one.upper()));
    }
    const double none[] = {-1.0};
    EXPECT_THROW(answers(pipeline.mechanism(), quantity, none, std::span(lower).first(1), std::span(upper).first(1)),
                 InvalidArgument);
  }
}

}  // namespace
}  // namespace doeblin::pipeline
