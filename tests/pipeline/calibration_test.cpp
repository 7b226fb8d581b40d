// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/calibration.hpp"

#include <gtest/gtest.h>

#include "doeblin/pipeline/stages.hpp"
#include "support/generators.hpp"

namespace doeblin::pipeline {
namespace {

Calibrated solved(const char* expression, double epsilon, double delta) {
  return calibrate(language::parse_with_hole(expression), {epsilon, delta});
}

// The value meets the target by its upper end, and a value nearby certainly does not: as near as the two ends of the
// bracket are (zCDP and sampling without replacement have brackets that do not close).
void check(const char* expression, double epsilon, double delta, double relative) {
  const Program open = language::parse_with_hole(expression);
  const Calibrated found = calibrate(open, {epsilon, delta});
  EXPECT_LE(evaluate(filled(open, found.value)).delta(Epsilon(epsilon)).upper(), delta * 1.01) << expression;
  EXPECT_LE(found.delta.upper(), delta) << expression;
  ASSERT_TRUE(found.misses.has_value()) << expression;
  EXPECT_GT(evaluate(filled(open, *found.misses)).delta(Epsilon(epsilon)).upper(), delta) << expression;
  EXPECT_LE(std::fabs(found.value - *found.misses), relative * found.value) << expression;
}

TEST(Calibration, SolvesForEveryKindOfParameter) {
  check("gaussian(sigma=?)", 1.0, 1e-6, 1e-8);
  check("gaussian(sigma=2, sensitivity=?)", 1.0, 1e-6, 1e-8);
  check("laplace(?)", 1.0, 1e-6, 1e-8);
  check("randomized_response(p=?)", 1.0, 1e-6, 1e-8);
  check("gdp(mu=?)", 1.0, 1e-6, 1e-8);
  check("zcdp(rho=?)", 1.0, 1e-6, 0.5);
  check("gaussian(sigma=20) | compose(k=?)", 2.0, 1e-6, 2e-2);
  check("laplace(scale=20) | compose(?)", 2.0, 1e-6, 2e-2);
  check("gaussian(sigma=1) | poisson(rate=?) | compose(100)", 1.0, 1e-6, 1e-3);
  check("laplace(scale=1) | without_replacement(n=?, m=50) | compose(20)", 1.0, 1e-6, 0.2);
  check("laplace(scale=1) | without_replacement(n=1000, m=?) | compose(20)", 1.0, 1e-6, 0.2);
  check("black_box(epsilon=?, delta=1e-7) | compose(5)", 1.0, 1e-6, 1e-3);
}

// dp-accounting says 3.8132.
TEST(Calibration, TheReferenceRun) {
  const Calibrated found = solved("gaussian(sigma=?) | poisson(rate=0.01) | compose(10000)", 1.0, 1e-5);
  EXPECT_LE(found.value - *found.misses, 1e-4);
  EXPECT_NEAR(found.value, 3.8128, 2e-4);
}

TEST(Calibration, ADeltaOfZeroIsATarget) {
  const Calibrated found = solved("laplace(scale=?)", 2.0, 0.0);
  EXPECT_NEAR(found.value, 0.5, 1e-8);
  EXPECT_EQ(found.delta, Bracket(0.0));
}

TEST(Calibration, SaysWhenNothingHelps) {
  EXPECT_THROW(static_cast<void>(solved("gaussian(sigma=1) | compose(?)", 0.1, 1e-9)), InvalidArgument);
  try {
    static_cast<void>(solved("black_box(epsilon=?, delta=1e-3)", 1.0, 1e-6));
    FAIL();
  } catch (const InvalidArgument& error) {
    EXPECT_NE(std::string(error.what()).find("no value of epsilon"), std::string::npos) << error.what();
  }
}

TEST(Calibration, SaysWhenEverythingIsGoodEnough) {
  const Calibrated found = solved("gaussian(sigma=100) | poisson(rate=?)", 1.0, 1e-3);
  EXPECT_EQ(found.value, 1.0);
  EXPECT_FALSE(found.misses.has_value());
}

TEST(Calibration, MistakesInTheRestOfTheExpressionAreReported) {
  EXPECT_THROW(static_cast<void>(solved("gaussian(sigma=?) | poisson(rate=2)", 1.0, 1e-5)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(solved("gaussian(sigma=?)", -1.0, 1e-5)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(solved("gaussian(sigma=?)", 1.0, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(solved("gaussian(sigma=?)", 1.0, std::nan(""))), InvalidArgument);
}

RC_GTEST_PROP(Calibration, TighterTargetsNeedMoreNoise, ()) {
  const double epsilon = test::log_uniform(0.05, 5.0);
  const double delta = test::log_uniform(1e-12, 1e-2);
  const double loose = solved("gaussian(sigma=?) | compose(10)", epsilon, delta).value;
  RC_ASSERT(loose <= solved("gaussian(sigma=?) | compose(10)", 0.9 * epsilon, delta).value);
  RC_ASSERT(loose <= solved("gaussian(sigma=?) | compose(10)", epsilon, 0.1 * delta).value);
}

// A pipeline that no expression describes.
TEST(Calibration, SolvesForAnyFunction) {
  const Unknown twice{"", "half", language::kMoreIsSafer,
                      [](double value) { return filled(language::parse_open("gaussian(?)"), 2.0 * value); }};
  const Calibrated found = calibrate(twice, {1.0, 1e-6});
  const Calibrated plain = solved("gaussian(sigma=?)", 1.0, 1e-6);
  EXPECT_LE(found.delta.upper(), 1e-6);
  EXPECT_NEAR(2.0 * found.value, plain.value, 1e-8 * plain.value);
  // The wrong direction: whatever is found meets the target all the same, or nothing is found.
  const Unknown backwards{"", "x", language::kLessIsSafer, twice.filled};
  try {
    EXPECT_LE(calibrate(backwards, {1.0, 1e-6}).delta.upper(), 1e-6);
  } catch (const InvalidArgument&) {
  }
}

}  // namespace
}  // namespace doeblin::pipeline
