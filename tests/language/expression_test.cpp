// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/expression.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::language {
namespace {

std::string message(const std::string& text) {
  try {
    static_cast<void>(parse(text));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "no error";
}

TEST(Expression, WhatIsNoPipelineIsRefused) {
  for (const char* expression : {"gaussian", "1 + 2", "gaussian(1) - laplace(1)", "unknown(3)", "gaussian(sgma=1)", "",
                                 "'text'", "gaussian(?)", "-gaussian(1)", "2 ** 3", "[1, 2]", "gaussian([1, 2])"})
    EXPECT_THROW(static_cast<void>(parse(expression)), InvalidArgument) << expression;
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
  EXPECT_EQ(message("gdp([1])"), "column 5, at '[1])': mu is a list, need a single value");
  EXPECT_EQ(message("gdp([])"), "column 5, at '[])': an empty list");
  EXPECT_EQ(message("gdp([1)"), "column 7, at ')': expected ',' or ']'");
  EXPECT_EQ(message("finite(3)"), "column 8, at '3)': file is a text, write it in quotes");
}

// What people call things elsewhere.
TEST(Expression, SynonymsAreUnderstood) {
  EXPECT_EQ(message("geometric(scale=1)"),
            "column 1, at 'geometric(scale=': unknown source or stage 'geometric', did you mean 'discrete_laplace'?");
  EXPECT_EQ(message("gaussian(noise_multiplier=1)"),
            "column 10, at 'noise_multiplier': gaussian has no parameter 'noise_multiplier', did you mean 'sigma'?");
  EXPECT_NE(message("dp_sgd(1)").find("gaussian(sigma=...) | poisson(rate=...) | compose(steps)"), std::string::npos);
}

TEST(Expression, AHoleIsAWholeArgument) {
  const Program keyword = parse_with_hole("gaussian(sigma=?) | compose(10)");
  EXPECT_EQ(holes_of(keyword)[0].call->name, "gaussian");
  EXPECT_EQ(holes_of(parse_with_hole("laplace(1, ?)"))[0].parameter, "sensitivity");
  for (const char* text : {"gaussian(sigma=1)", "?", "gaussian(?) | compose(?)", "gaussian(1/?)", "nothing(?)",
                           "gaussian(x=?)", "rdp(alpha=?, epsilon=1)", "gaussian(1, 1, ?)", "? | compose(2)"})
    EXPECT_THROW(static_cast<void>(parse_with_hole(text)), InvalidArgument) << text;
  EXPECT_THROW(static_cast<void>(parse("gaussian(sigma=?)")), ExpressionError);
  EXPECT_EQ(holes_of(parse_open("gaussian(?) | compose(?)")).size(), 2u);
}

TEST(Expression, PartsStandAlone) {
  EXPECT_EQ(parse_part("poisson(0.1) | compose(10)").parts.size(), 2u);
  EXPECT_EQ(parse_kernels("doeblin(0.1) | doeblin(0.2)").parts.size(), 2u);
  EXPECT_EQ(parse_kernels("doeblin(0.1)").call.name, "doeblin");
  for (const char* text : {"gaussian(1)", "compose(3)", "0.5", "doeblin(0.1) | compose(3)", "doeblin"})
    EXPECT_THROW(static_cast<void>(parse_kernels(text)), InvalidArgument) << text;
}

TEST(Expression, ACallOfOneSchema) {
  const Schema& schema = *find_schema("laplace");
  EXPECT_EQ(parse_call("laplace(2)", schema)->number("scale"), 2.0);
  EXPECT_TRUE(std::holds_alternative<Hole>(parse_call("laplace(scale=?)", schema)->argument("scale")));
  EXPECT_FALSE(parse_call("gaussian(2)", schema));
  EXPECT_FALSE(parse_call("laplace(2) | group(2)", schema));
  EXPECT_THROW(static_cast<void>(parse_call("laplace", schema)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::language
