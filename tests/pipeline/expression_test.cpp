// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/expression.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"
#include "doeblin/pipeline/syntax.hpp"

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

TEST(Expression, ArgumentsByPositionByNameAndByDefault) {
  EXPECT_EQ(first_stage("gaussian(2)"), "gaussian(sigma=2, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian(2, 3)"), "gaussian(sigma=2, sensitivity=3)");
  EXPECT_EQ(first_stage("gaussian(sensitivity=3, sigma=2)"), "gaussian(sigma=2, sensitivity=3)");
}

TEST(Expression, ArgumentsAreArithmetic) {
  EXPECT_EQ(first_stage("gaussian(1 + 2 * 3)"), "gaussian(sigma=7, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian((1 + 2) * 3 / 2)"), "gaussian(sigma=4.5, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian(2 ** 3 ** 2)"), "gaussian(sigma=512, sensitivity=1)");
  EXPECT_EQ(first_stage("gaussian(- -1e6)"), "gaussian(sigma=1000000, sensitivity=1)");
  EXPECT_EQ(parse("gaussian(256/60000)").delta(Epsilon(0.1)), gaussian({.sigma = 256.0 / 60000}).delta(Epsilon(0.1)));
}

TEST(Expression, PipelinesComposeWithPlus) {
  const Pipeline sum = parse("(gaussian(3) | compose(4)) + (gaussian(2) | group(2)) + gdp(1)");
  const Pipeline same = (gaussian({.sigma = 3}) | compose(4)) + (gaussian({.sigma = 2}) | group(2)) + gdp(1);
  EXPECT_LE(sum.delta(Epsilon(1.0)).lower(), same.delta(Epsilon(1.0)).upper());
  EXPECT_GE(sum.delta(Epsilon(1.0)).upper(), same.delta(Epsilon(1.0)).lower());
  // Two of the parts are lifted to the group of the third.
  EXPECT_EQ(sum.steps().size(), 8u);
  EXPECT_EQ(sum.neighbours().people, 2.0);
}

TEST(Expression, AHoleIsFilledOutsideOfTexts) {
  EXPECT_EQ(filled("gaussian(sigma=?) | kernel('a?.csv')", 0.5), "gaussian(sigma=0.5) | kernel('a?.csv')");
  EXPECT_EQ(filled("gdp(?)", 0.1), "gdp(0.1)");
}

TEST(Expression, ALongSumIsOneComposition) {
  std::string text = "gdp(0.01)";
  for (int i = 1; i < 3000; ++i) text += "+gdp(0.01)";
  const Bracket got = parse(text).delta(Epsilon(1.0));
  const Bracket direct = (gdp(0.01) | compose(3000)).delta(Epsilon(1.0));
  EXPECT_LE(got.lower(), direct.upper());
  EXPECT_GE(got.upper(), direct.lower());
}

TEST(Expression, MistakesAreNamedWhereTheyAre) {
  EXPECT_EQ(message("gausian(1)"),
            "column 1, at 'gausian(1)': unknown source or stage 'gausian', did you mean 'gaussian'?");
  EXPECT_EQ(message("gaussian(1) | gruop(2)"),
            "column 15, at 'gruop(2)': unknown source or stage 'gruop', did you mean 'group'?");
  EXPECT_EQ(message("gaussian()"), "column 1, at 'gaussian()': missing argument sigma: gaussian(sigma, sensitivity=1)");
  EXPECT_EQ(message("gaussian(1, 2, 3)"), "column 16, at '3)': too many arguments: gaussian(sigma, sensitivity=1)");
  EXPECT_EQ(message("gaussian(1, sigma=2)"), "column 19, at '2)': sigma is given twice");
  EXPECT_EQ(message("gaussian(sigma=1, 2)"),
            "column 19, at '2)': a positional argument cannot follow a keyword argument");
  EXPECT_EQ(message("gaussian(sgma=1)"),
            "column 10, at 'sgma=1)': gaussian has no parameter 'sgma', did you mean 'sigma'?");
  EXPECT_EQ(message("gaussian"),
            "column 1, at 'gaussian': gaussian needs its arguments: gaussian(sigma, sensitivity=1)");
  EXPECT_EQ(message("group(2)"),
            "column 1, at 'group(2)': a stage needs a source before it, as in: gaussian(sigma=1) | ...");
  EXPECT_EQ(message("3"), "column 1, at '3': expected a source, such as gaussian(sigma=1)");
  EXPECT_EQ(message("gdp(1) | 3"), "column 10, at '3': '|' needs a stage on its right; pipelines compose with '+'");
  EXPECT_EQ(message("3 | group(2)"), "column 3, at '|': '|' needs a source or a pipeline on its left");
  EXPECT_EQ(message("gdp(1) | group(2) + gdp(1)"),
            "column 19, at '+': '+' binds tighter than '|': write (a | x) + (b | y)");
  EXPECT_EQ(message("gdp(1) - gdp(1)"),
            "column 8, at '-': '-' does not work on these operands; pipelines compose with '+'");
  EXPECT_EQ(message("gdp(1) + 1"), "column 8, at '+': '+' does not work on these operands; pipelines compose with '+'");
  EXPECT_EQ(message("gdp(1/0)"), "column 6, at '/0)': division by zero");
  EXPECT_EQ(message("gdp(10**400)"), "column 5, at '10**400)': the result is not a number that a double can hold");
  EXPECT_EQ(message("gdp(inf - inf)"), "column 9, at '-': the result is not a number that a double can hold");
  EXPECT_EQ(message("gdp(x)"), "column 5, at 'x)': 'x' is not a number");
  EXPECT_EQ(message("gdp('x')"), "column 5, at ''x')': expected a number");
  EXPECT_EQ(message("finite(3)"), "column 8, at '3)': file is a text, write it in quotes");
}

TEST(Expression, ValuesAreCheckedByTheMechanism) {
  EXPECT_EQ(message("gaussian(sigma=-1)"), "gaussian: sigma = -1, need 0 < sigma < infinity");
  EXPECT_EQ(message("gaussian(inf)"), "gaussian: sigma = inf, need 0 < sigma < infinity");
  EXPECT_EQ(message("laplace(1) | group(0)"), "group: k = 0, need an integer, 1 <= k <= 2^53");
  EXPECT_EQ(message("gdp(1) | compose(2.5)"), "compose: k = 2.5, need an integer, 1 <= k <= 2^53");
  EXPECT_EQ(message("randomized_response(2)"), "randomized_response: p = 2, need 0 <= p <= 1");
}

TEST(ExpressionWithHole, FindsItsParameter) {
  const ExpressionWithHole keyword("gaussian(sigma=?) | compose(10)");
  EXPECT_EQ(keyword.stage(), "gaussian");
  EXPECT_EQ(keyword.parameter().name, "sigma");
  EXPECT_EQ(keyword.filled(2.0).delta(Epsilon(1.0)), parse("gaussian(2) | compose(10)").delta(Epsilon(1.0)));
  EXPECT_EQ(ExpressionWithHole("laplace(1, ?)").parameter().name, "sensitivity");
}

TEST(ExpressionWithHole, RefusesWhatItCannotSolve) {
  for (const char* text : {"gaussian(sigma=1)", "?", "gaussian(?) | compose(?)", "gaussian(1/?)", "nothing(?)",
                           "gaussian(x=?)", "rdp(alpha=?, epsilon=1)", "gaussian(1, 1, ?)", "? | compose(2)"})
    EXPECT_THROW(ExpressionWithHole{text}, InvalidArgument) << text;
  EXPECT_THROW(static_cast<void>(parse("gaussian(sigma=?)")), ExpressionError);
}

}  // namespace
}  // namespace doeblin::pipeline
