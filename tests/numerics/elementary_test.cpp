// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/elementary.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;

// The truth in extended precision, itself good to 2^-62.
void expect_encloses(const Bracket& got, long double truth) {
  const long double slack = std::fabs(truth) * 0x1p-62L;
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth + slack);
  RC_ASSERT(truth - slack <= static_cast<long double>(got.upper()));
  RC_ASSERT(got.relative_width() <= 2.3e-15 || got.upper() < 1e-300);
}

RC_GTEST_PROP(Elementary, EncloseTheFunctionTightly, ()) {
  const double x = *rc::gen::element(-1.0, 1.0) * test::log_uniform(1e-20, 700.0);
  const double positive = test::log_uniform(1e-300, 1e300);
  expect_encloses(exp(Bracket(x)), std::exp(static_cast<long double>(x)));
  const Bracket rise = expm1(Bracket(x));
  expect_encloses(x > 0 ? rise : -rise, std::fabs(std::expm1(static_cast<long double>(x))));
  const Bracket logarithm = log(Bracket(positive));
  expect_encloses(positive > 1 ? logarithm : -logarithm, std::fabs(std::log(static_cast<long double>(positive))));
  expect_encloses(log1p(Bracket(std::fabs(x))), std::log1p(static_cast<long double>(std::fabs(x))));
  expect_encloses(sqrt(Bracket(positive)), std::sqrt(static_cast<long double>(positive)));
}

RC_GTEST_PROP(Elementary, RemainderOfTheExponentialKeepsItsDigits, ()) {
  const double x = *rc::gen::element(-1.0, 1.0) * test::log_uniform(1e-8, 30.0);
  // e^x - 1 - x = x^2 int_0^1 (1 - t) e^{xt} dt, by Simpson's rule in extended precision.
  long double integral = 0.0L;
  constexpr int kPanels = 4000;
  for (int i = 0; i <= kPanels; ++i) {
    const long double t = static_cast<long double>(i) / kPanels;
    integral += (i == 0 || i == kPanels ? 1 : i % 2 == 1 ? 4 : 2) * (1 - t) * std::exp(x * t);
  }
  const long double truth = static_cast<long double>(x) * x * integral / (3 * kPanels);
  const Bracket got = expm1_minus(Bracket(x));
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth * (1 + 1e-9L));
  RC_ASSERT(static_cast<long double>(got.upper()) >= truth * (1 - 1e-9L));
  RC_ASSERT(got.relative_width() <= 1e-13);
}

RC_GTEST_PROP(Elementary, DecayMeanIsTheAverageOfADecay, ()) {
  const double z = test::log_uniform(1e-18, 1e5);
  const long double truth = -std::expm1(-static_cast<long double>(z)) / z;
  expect_encloses(decay_mean(Bracket(z)), truth);
}

TEST(Elementary, FixedPointsAreExact) {
  EXPECT_EQ(exp(Bracket(0.0)), Bracket(1.0));
  EXPECT_EQ(expm1(Bracket(0.0)), Bracket(0.0));
  EXPECT_EQ(log(Bracket(1.0)), Bracket(0.0));
  EXPECT_EQ(log1p(Bracket(0.0)), Bracket(0.0));
  EXPECT_EQ(sqrt(Bracket(9.0)), Bracket(3.0));
  EXPECT_EQ(decay_mean(Bracket(0.0)), Bracket(1.0));
  for (const double tiny : {5e-324, 1e-320, 1e-300, 1e-20}) {
    EXPECT_TRUE(decay_mean(Bracket(tiny)).contains(1.0 - tiny / 2.0));
    EXPECT_LE(decay_mean(Bracket(tiny)).width(), 0x1p-52);
  }
  EXPECT_EQ(expm1_minus(Bracket(0.0)), Bracket(0.0));
}

TEST(Elementary, InfinitiesAndUnderflow) {
  EXPECT_EQ(exp(Bracket(-kInfinity)), Bracket(0.0));
  EXPECT_EQ(exp(Bracket(kInfinity)), Bracket(kInfinity));
  EXPECT_EQ(exp(Bracket(-1e4)), Bracket(0.0, rounding::kSmallest));
  EXPECT_EQ(exp(Bracket(1e4)).upper(), kInfinity);
  EXPECT_LE(exp(Bracket(1e4)).lower(), rounding::kMax);
  EXPECT_EQ(log(Bracket(0.0)), Bracket(-kInfinity));
  EXPECT_EQ(log1p(Bracket(-1.0)), Bracket(-kInfinity));
  EXPECT_GE(expm1(Bracket(-kInfinity)).lower(), -1.0);
  EXPECT_LE(expm1(Bracket(-40.0)).lower(), -1.0 + 1e-17);
  EXPECT_EQ(expm1(Bracket(1e-300)).lower(), 1e-300);
  EXPECT_THROW(static_cast<void>(log(Bracket(-1.0))), InternalError);
}

TEST(Elementary, LogAddExpNeitherOverflowsNorCancels) {
  const Bracket big = log_add_exp(Bracket(1000.0), Bracket(1000.0));
  EXPECT_LE(big.lower(), 1000.0 + 0.6931471805599453);
  EXPECT_GE(big.upper(), 1000.0 + 0.6931471805599453);
  EXPECT_LE(big.width(), 1e-12);
  EXPECT_EQ(log_add_exp(Bracket(-kInfinity), Bracket(3.0)), Bracket(3.0));
  EXPECT_EQ(log_add_exp(Bracket(-kInfinity), Bracket(-kInfinity)), Bracket(-kInfinity));
}

}  // namespace
}  // namespace doeblin::numerics
