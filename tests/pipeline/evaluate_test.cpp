// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/evaluate.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {
namespace {

std::string first_stage(const std::string& text) { return parse(text).steps()[0].step.stage; }

std::string message(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Evaluate, ArgumentsByPositionByNameAndByDefault) {
  EXPECT_EQ(first_stage("gaussian(2)"), "gaussian(sigma=2, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian(2, 3)"), "gaussian(sigma=2, sensitivity=3)");
  EXPECT_EQ(first_stage("gaussian(sensitivity=3, sigma=2)"), "gaussian(sigma=2, sensitivity=3)");
}

TEST(Evaluate, ArgumentsAreArithmetic) {
  EXPECT_EQ(first_stage("gaussian(1 + 2 * 3)"), "gaussian(sigma=7, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian((1 + 2) * 3 / 2)"), "gaussian(sigma=4.5, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian(2 ** 3 ** 2)"), "gaussian(sigma=512, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian(- -1e6)"), "gaussian(sigma=1000000, sensitivity=1)");
  EXPECT_EQ(parse("gaussian(256/60000)").delta(Epsilon(0.1)), gaussian({.sigma = 256.0 / 60000}).delta(Epsilon(0.1)));
}

TEST(Evaluate, PipelinesComposeWithPlus) {
  const Pipeline sum = parse("(gaussian(3) | compose(4)) + (gaussian(2) | group(2)) + gdp(1)");
  const Pipeline same = (gaussian({.sigma = 3}) | compose(4)) + (gaussian({.sigma = 2}) | group(2)) + gdp(1);
  EXPECT_LE(sum.delta(Epsilon(1.0)).lower(), same.delta(Epsilon(1.0)).upper());
  EXPECT_GE(sum.delta(Epsilon(1.0)).upper(), same.delta(Epsilon(1.0)).lower());
  // Two of the parts are lifted to the group of the third.
  EXPECT_EQ(sum.steps().size(), 8u);
  EXPECT_EQ(sum.neighbours().people, 2.0);
}

TEST(Evaluate, ALongSumIsOneComposition) {
  std::string text = "gdp(0.01)";
  for (int i = 1; i < 3000; ++i) text += "+gdp(0.01)";
  const Bracket got = parse(text).delta(Epsilon(1.0));
  const Bracket direct = (gdp(0.01) | compose(3000)).delta(Epsilon(1.0));
  EXPECT_LE(got.lower(), direct.upper());
  EXPECT_GE(got.upper(), direct.lower());
}

TEST(Evaluate, ValuesAreCheckedByTheMechanism) {
  EXPECT_EQ(message("gaussian(sigma=-1)"), "gaussian: sigma = -1, need 0 < sigma < infinity");
  EXPECT_EQ(message("gaussian(inf)"), "gaussian: sigma = inf, need 0 < sigma < infinity");
  EXPECT_EQ(message("laplace(1) | group(0)"), "group: k = 0, need an integer, 1 <= k <= 2^53");
  EXPECT_EQ(message("gdp(1) | compose(2.5)"), "compose: k = 2.5, need an integer, 1 <= k <= 2^53");
  EXPECT_EQ(message("randomized_response(2)"), "randomized_response: p = 2, need 0 <= p <= 1");
}

TEST(Evaluate, OpenArgumentsAreForCalibrate) {
  EXPECT_THROW(static_cast<void>(evaluate(language::parse_open("gaussian(sigma=?)"))), InvalidArgument);
  EXPECT_EQ(evaluate(filled(language::parse_open("gaussian(?) | compose(10)"), 2.0)).delta(Epsilon(1.0)),
            parse("gaussian(2) | compose(10)").delta(Epsilon(1.0)));
}

TEST(Evaluate, PartsAreWhatTheyBeginWith) {
  EXPECT_TRUE(std::holds_alternative<Pipeline>(evaluate_part(language::parse("gaussian(1) | group(2)"))));
  EXPECT_TRUE(std::holds_alternative<Stage>(evaluate_part(language::parse_part("poisson(0.1) | compose(10)"))));
  EXPECT_TRUE(std::holds_alternative<Kernel>(evaluate_part(language::parse_part("doeblin(0.1) | doeblin(0.2)"))));
  EXPECT_THROW(static_cast<void>(evaluate(language::parse_part("poisson(0.1)"))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(evaluate_kernels(language::parse_part("poisson(0.1)"))), InvalidArgument);
  const Part stages = evaluate_part(language::parse_part("poisson(0.1) | compose(10)"));
  const Part both = piped(gaussian({.sigma = 1}), stages);
  EXPECT_EQ(std::get<Pipeline>(both).delta(Epsilon(1.0)),
            parse("gaussian(1) | poisson(0.1) | compose(10)").delta(Epsilon(1.0)));
}

// Lists of a run are arguments like any other: two runs in a sum may have lists of their own.
TEST(Evaluate, ListsAreArguments) {
  const std::string run = "noisy_sgd(n=3, learning_rate=[0.5, 0.25, 0.125], sigma=2, lipschitz=1, smoothness=0.5)";
  NoisySgd same{.n = 3, .sigma = 2, .lipschitz = 1, .smoothness = 0.5};
  same.schedule.learning_rate = {0.5, 0.25, 0.125};
  EXPECT_EQ(parse(run).delta(Epsilon(0.3)), noisy_sgd(same).delta(Epsilon(0.3)));
  const std::string other = "noisy_sgd(n=3, learning_rate=0.5, sigma=[2, 4, 8], lipschitz=1, smoothness=0.5)";
  EXPECT_GE(parse(run + " + " + other).delta(Epsilon(0.3)).upper(), parse(run).delta(Epsilon(0.3)).upper());
  EXPECT_EQ(message("noisy_sgd(n=3, learning_rate=[0.5, 0.25], sigma=[2, 4, 8], lipschitz=1, smoothness=0.5)"),
            "noisy_sgd: schedule = lists of 2 and 3 steps, need lists of the same length");
}

}  // namespace
}  // namespace doeblin::pipeline
