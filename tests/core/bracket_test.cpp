// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/bracket.hpp"

#include <sstream>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin {
namespace {

Bracket any_bracket() {
  const double a = test::uniform(-10.0, 10.0);
  const double b = test::uniform(-10.0, 10.0);
  return {std::min(a, b), std::max(a, b)};
}

double inside(const Bracket& x) {
  return std::clamp(x.lower() + test::uniform(0.0, 1.0) * (x.upper() - x.lower()), x.lower(), x.upper());
}

RC_GTEST_PROP(Bracket, ArithmeticEnclosesEveryPair, ()) {
  const Bracket x = any_bracket();
  const Bracket y = any_bracket();
  const long double a = inside(x);
  const long double b = inside(y);
  const auto holds = [](const Bracket& z, long double v) {
    // Long double rounds v itself by 2^-64.
    const long double slack = std::fabs(v) * 0x1p-62L;
    return static_cast<long double>(z.lower()) <= v + slack && v - slack <= static_cast<long double>(z.upper());
  };
  RC_ASSERT(holds(x + y, a + b));
  RC_ASSERT(holds(x - y, a - b));
  RC_ASSERT(holds(x * y, a * b));
  RC_ASSERT(holds(-x, -a));
  RC_ASSERT(holds(max(x, y), std::max(a, b)));
  RC_ASSERT(holds(min(x, y), std::min(a, b)));
  if (!y.contains(0.0)) RC_ASSERT(holds(x / y, a / b));
}

TEST(Bracket, RefusesWhatIsNoInterval) {
  EXPECT_THROW(Bracket(2.0, 1.0), InternalError);
  EXPECT_THROW(Bracket(std::nan(""), 1.0), InternalError);
  EXPECT_THROW(Bracket(std::nan("")), InternalError);
  EXPECT_THROW(static_cast<void>(Bracket(1.0) / Bracket(-1.0, 1.0)), InternalError);
}

TEST(Bracket, WidthIsZeroForAPointAlsoAtInfinity) {
  EXPECT_EQ(Bracket(3.0).width(), 0.0);
  EXPECT_EQ(Bracket(rounding::kInfinity).width(), 0.0);
  EXPECT_EQ(Bracket(0.0).relative_width(), 0.0);
  EXPECT_EQ(Bracket(1.0, 2.0).width(), 1.0);
  EXPECT_EQ(Bracket(1.0, 2.0).relative_width(), 0.5);
  EXPECT_EQ(Bracket(1.0, rounding::kInfinity).relative_width(), rounding::kInfinity);
}

TEST(Bracket, HasNoNegativeZero) {
  EXPECT_FALSE(std::signbit(Bracket(-0.0).lower()));
  EXPECT_FALSE(std::signbit((-Bracket(0.0)).upper()));
}

TEST(Bracket, MiddleIsInside) {
  EXPECT_EQ(Bracket(1.0, 3.0).middle(), 2.0);
  EXPECT_EQ(Bracket(1.0, rounding::kInfinity).middle(), 1.0);
  EXPECT_TRUE(
      Bracket(rounding::kMax / 2, rounding::kMax).contains(Bracket(rounding::kMax / 2, rounding::kMax).middle()));
}

TEST(Bracket, Prints) {
  std::ostringstream out;
  out << Bracket(0.5, 1.0);
  EXPECT_EQ(out.str(), "[0.5, 1]");
}

}  // namespace
}  // namespace doeblin
