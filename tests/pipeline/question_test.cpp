// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/question.hpp"

#include <algorithm>
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
