// SPDX-License-Identifier: Apache-2.0
#include "language/exact.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>

#include <fast_float/fast_float.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"

namespace doeblin::language {
namespace {

constexpr double kTiny = 5e-324;

double decimal(const std::string& text) { return Exact::of_decimal(text).value().nearest(); }

double read_otherwise(const std::string& text) {
  double value = 0.0;
  fast_float::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

double result(const char* arithmetic) { return parse_exact(arithmetic).nearest(); }

// Of two whole numbers below 2^53 the processor's quotient, sum and product are rounded once too.
TEST(Exact, WholeNumbersAreThoseOfTheProcessor) {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const auto x = static_cast<double>(random() >> (11U + random() % 50U));
    const auto y = 1.0 + static_cast<double>(random() >> (11U + random() % 50U));
    EXPECT_EQ((Exact(x) / Exact(y)).nearest(), x / y) << x << " / " << y;
    EXPECT_EQ((Exact(x) * Exact(y)).nearest(), x * y);
    EXPECT_EQ((Exact(x) + Exact(y)).nearest(), x + y);
    EXPECT_EQ((Exact(x) - Exact(y)).nearest(), x - y);
  }
}

TEST(Exact, DecimalsAreThoseOfAnotherReader) {
  std::mt19937_64 random(2);
  for (int i = 0; i < 2000; ++i) {
    const std::string text = fmt::format("{}.{}e{}", random() % 1000, random(), static_cast<int>(random() % 640) - 340);
    const double other = read_otherwise(text);
    if (std::isfinite(other)) EXPECT_EQ(decimal(text), other) << text;
  }
  for (const char* text : {"0", "0.0", "00012.50", "1e5", "1E+5", ".5", "5.", "1e-5", "123456789012345678901234567890"})
    EXPECT_EQ(decimal(text), read_otherwise(text)) << text;
  for (const char* text : {"", ".", "e5", "1e", "1e+", "x", "1x", "1.2.3", "-1", "1e99999999999"})
    EXPECT_FALSE(Exact::of_decimal(text)) << text;
}

TEST(Exact, EveryDoubleIsItself) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 2000; ++i) {
    const double x = std::bit_cast<double>(random());
    if (!std::isfinite(x)) continue;
    EXPECT_EQ((Exact(x) / Exact(3.0) * Exact(3.0)).nearest(), x);
    EXPECT_EQ((-Exact(x)).nearest(), -x);
  }
}

TEST(Exact, RoundsOnceAtTheEdges) {
  const double largest = std::numeric_limits<double>::max();
  EXPECT_EQ(Exact(largest).nearest(), largest);
  EXPECT_EQ((Exact(largest) + Exact(std::ldexp(1.0, 969))).nearest(), largest);
  EXPECT_EQ((Exact(largest) + Exact(std::ldexp(1.0, 970))).nearest(), rounding::kInfinity);
  // Half of the smallest is a tie, which goes to 0; more than half does not.
  const Exact half = Exact(kTiny) / Exact(2.0);
  EXPECT_EQ(half.nearest(), 0.0);
  EXPECT_TRUE(half.vanishes());
  EXPECT_EQ((half * (Exact(1.0) + Exact(0x1p-60))).nearest(), kTiny);
  EXPECT_EQ((Exact(3.0) * half).nearest(), 2.0 * kTiny);
  EXPECT_FALSE(Exact(0.0).vanishes());
  // A tie in the 53rd bit, and just beside it.
  EXPECT_EQ((Exact(1.0) + Exact(0x1p-53)).nearest(), 1.0);
  EXPECT_EQ((Exact(1.0) + Exact(0x1p-53) + Exact(0x1p-1000)).nearest(), 1.0 + 0x1p-52);
}

TEST(Exact, ArithmeticIsMeantAsWritten) {
  EXPECT_EQ(result("0.1*1e-5"), 1e-6);
  EXPECT_NE(0.1 * 1e-5, 1e-6);  // which is why
  EXPECT_EQ(result("1e-5/10"), 1e-6);
  EXPECT_EQ(result("0.1+0.2"), 0.3);
  EXPECT_EQ(result("1-0.9"), 0.1);
  EXPECT_EQ(result("256/60000"), 256.0 / 60000.0);
  EXPECT_EQ(result("1/3*3"), 1.0);
  EXPECT_EQ(result("10**-6"), 1e-6);
  EXPECT_EQ(result("(1/10)**6"), 1e-6);
  EXPECT_EQ(result("-2**2"), -4.0);
  EXPECT_EQ(result("2**0.5"), std::sqrt(2.0));
  EXPECT_EQ(result("1e-200*1e-200*1e300"), 1e-100);
  EXPECT_EQ(result("inf"), rounding::kInfinity);
  EXPECT_EQ(result("1/inf"), 0.0);
}

// A result that would grow without limit is rounded where it arises.
TEST(Exact, LongArithmeticEnds) {
  std::string text = "1";
  for (int i = 0; i < 9000; ++i) text += i % 2 == 0 ? "/1.7" : "*1.7";
  EXPECT_EQ(result(text.c_str()), 1.0);
  EXPECT_NEAR(result("1.0000001**10000000"), std::exp(1.0), 1e-6);
  EXPECT_GT(result("1.5**1000"), 1e176);
}

TEST(Exact, MistakesAreSaid) {
  for (const char* text : {"1/0", "1/(0.1-0.1)", "inf-inf", "1e308*10", "0**-1", "?", "x", "gaussian(sigma=1)", ""})
    EXPECT_THROW(static_cast<void>(parse_exact(text)), InvalidArgument) << text;
}

}  // namespace
}  // namespace doeblin::language
