// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::report {
namespace {

double number_in(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ','), text.end());
  return std::strtod(text.c_str(), nullptr);
}

TEST(Numbers, ExponentsAreShort) {
  EXPECT_EQ(plain("1e-05"), "1e-5");
  EXPECT_EQ(plain("1.5e+09"), "1.5e9");
  EXPECT_EQ(plain("4.94066e-324"), "4.94066e-324");
  EXPECT_EQ(plain("1e+00"), "1e0");
  EXPECT_EQ(plain("inf"), "infinity");
  EXPECT_EQ(plain("0.25"), "0.25");
}

TEST(Numbers, BracketsInWords) {
  EXPECT_EQ(bracket_text(Bracket(1.0, 2.0)), "between 1 and 2");
  EXPECT_EQ(bracket_text(Bracket(0.0, 2.0)), "at most 2");
  EXPECT_EQ(bracket_text(Bracket(0.25)), "exactly 0.25");
  EXPECT_EQ(bracket_text(Bracket(1.0, rounding::kInfinity)), "between 1 and infinity");
}

TEST(Numbers, Chances) {
  EXPECT_EQ(chance_text(1e-5), "1 in 100,000");
  EXPECT_EQ(chance_text(1e-6), "1 in 1,000,000");
  EXPECT_EQ(chance_text(0.1), "1 in 10");
  EXPECT_EQ(chance_text(2.3e-7), "1 in 4,300,000");
  for (const double none : {0.0, 0.5, 1.0, 1e-300, 5e-16}) EXPECT_EQ(chance_text(none), "") << none;
}

RC_GTEST_PROP(Numbers, ChancesAreNeverSmaller, ()) {
  const double probability = doeblin::test::log_uniform(1e-15, 0.1);
  const std::string text = chance_text(probability);
  RC_ASSERT(text.starts_with("1 in "));
  RC_ASSERT(1.0 / number_in(text.substr(5)) >= probability * (1.0 - 1e-9));
  RC_ASSERT(1.0 / number_in(text.substr(5)) <= 1.2 * probability);
}

TEST(Numbers, Factors) {
  EXPECT_EQ(factor_text(0.0), "1");
  EXPECT_EQ(factor_text(1.0), "2.72");
  EXPECT_EQ(factor_text(10.0), "22,100");
  EXPECT_EQ(factor_text(rounding::kInfinity), "");
  EXPECT_EQ(factor_text(21.0), "");
  EXPECT_EQ(times_text(2289.1), "2,290");
  EXPECT_EQ(times_text(1.27), "1.27");
}

RC_GTEST_PROP(Numbers, FactorsAreNeverSmaller, ()) {
  const double epsilon = doeblin::test::uniform(0.0, 20.0);
  const double shown = number_in(factor_text(epsilon));
  RC_ASSERT(shown >= std::exp(epsilon));
  RC_ASSERT(shown <= 1.02 * std::exp(epsilon));
}

TEST(Numbers, Counts) {
  EXPECT_EQ(count_text(0), "0");
  EXPECT_EQ(count_text(999), "999");
  EXPECT_EQ(count_text(60000), "60,000");
  EXPECT_EQ(count_text(1234567), "1,234,567");
}

}  // namespace
}  // namespace doeblin::report
