// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/rounding.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::rounding {
namespace {

// 113 bits hold any product of doubles, and any sum whose exponents are close, exactly.
__extension__ typedef __float128 Quad;

double signed_value(double low, double high) { return *rc::gen::element(-1.0, 1.0) * test::log_uniform(low, high); }

RC_GTEST_PROP(Rounding, SumEnclosesTheExactSum, ()) {
  const double a = signed_value(1e-6, 1e6);
  const double b = signed_value(1e-6, 1e6);
  const Quad exact = Quad(a) + Quad(b);
  RC_ASSERT(Quad(add_down(a, b)) <= exact);
  RC_ASSERT(Quad(add_up(a, b)) >= exact);
  RC_ASSERT(add_up(a, b) <= next_up(add_down(a, b)));
  RC_ASSERT((Quad(a + b) == exact) == (add_up(a, b) == add_down(a, b)));
}

RC_GTEST_PROP(Rounding, ProductEnclosesTheExactProduct, ()) {
  const double a = signed_value(1e-150, 1e150);
  const double b = signed_value(1e-150, 1e150);
  const Quad exact = Quad(a) * Quad(b);
  RC_ASSERT(Quad(mul_down(a, b)) <= exact);
  RC_ASSERT(Quad(mul_up(a, b)) >= exact);
  RC_ASSERT(mul_up(a, b) <= next_up(mul_down(a, b)));
}

RC_GTEST_PROP(Rounding, ProductIsRightAmongTheSubnormals, ()) {
  const double a = signed_value(1e-250, 1e-60);
  const double b = signed_value(1e-250, 1e-60);
  const Quad exact = Quad(a) * Quad(b);
  RC_ASSERT(Quad(mul_down(a, b)) <= exact);
  RC_ASSERT(Quad(mul_up(a, b)) >= exact);
  RC_ASSERT(mul_up(a, b) <= next_up(mul_down(a, b)));
}

RC_GTEST_PROP(Rounding, QuotientEnclosesTheExactQuotient, ()) {
  const double a = signed_value(1e-300, 1e10);
  const double b = signed_value(1e-5, 1e300);
  const auto above = [&](double q) { return b > 0 ? Quad(q) * Quad(b) >= Quad(a) : Quad(q) * Quad(b) <= Quad(a); };
  const auto below = [&](double q) { return b > 0 ? Quad(q) * Quad(b) <= Quad(a) : Quad(q) * Quad(b) >= Quad(a); };
  RC_ASSERT(above(div_up(a, b)));
  RC_ASSERT(below(div_down(a, b)));
  RC_ASSERT(div_up(a, b) <= next_up(div_down(a, b)));
}

// std::max(0.0, NaN) is 0.
TEST(Rounding, TheLargerEndOfNothingKnownIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(larger(0.0, nan)));
  EXPECT_TRUE(std::isnan(larger(nan, 0.0)));
  EXPECT_TRUE(std::isnan(larger(nan, nan)));
  EXPECT_EQ(larger(1.0, 2.0), 2.0);
  EXPECT_EQ(larger(2.0, 1.0), 2.0);
  EXPECT_EQ(larger(0.0, kInfinity), kInfinity);
  EXPECT_EQ(larger(-kInfinity, -1.0), -1.0);
}

TEST(Rounding, ExactResultsStayExact) {
  EXPECT_EQ(add_up(1.0, 2.0), 3.0);
  EXPECT_EQ(mul_down(3.0, 5.0), 15.0);
  EXPECT_EQ(div_up(1.0, 4.0), 0.25);
  EXPECT_EQ(mul_up(0x1p-1000, 0x1p-70), 0x1p-1070);
}

TEST(Rounding, InexactResultsStepOutward) {
  EXPECT_EQ(add_up(1.0, 0x1p-60), 1.0 + 0x1p-52);
  EXPECT_EQ(add_down(1.0, 0x1p-60), 1.0);
  EXPECT_EQ(div_up(1.0, 3.0), next_up(div_down(1.0, 3.0)));
}

TEST(Rounding, Edges) {
  EXPECT_EQ(next_up(0.0), kSmallest);
  EXPECT_EQ(next_up(-kSmallest), 0.0);
  EXPECT_EQ(next_up(kMax), kInfinity);
  EXPECT_EQ(next_up(kInfinity), kInfinity);
  EXPECT_EQ(add_down(kMax, kMax), kMax);
  EXPECT_EQ(add_up(kMax, kMax), kInfinity);
  EXPECT_EQ(mul_down(kMax, 2.0), kMax);
  EXPECT_EQ(mul_up(0.0, kInfinity), 0.0);
  EXPECT_EQ(mul_up(1e-200, 1e-200), kSmallest);
  EXPECT_EQ(mul_down(1e-200, 1e-200), 0.0);
  EXPECT_EQ(mul_down(-1e-200, 1e-200), -kSmallest);
  EXPECT_EQ(div_up(1.0, kInfinity), kSmallest);
  EXPECT_EQ(div_down(1.0, kInfinity), 0.0);
  EXPECT_EQ(div_up(kInfinity, 2.0), kInfinity);
  EXPECT_EQ(div_down(kInfinity, 2.0), kInfinity);
  EXPECT_EQ(add_up(kInfinity, -kInfinity), kInfinity);
  EXPECT_EQ(add_down(kInfinity, -kInfinity), -kInfinity);
}

}  // namespace
}  // namespace doeblin::rounding
