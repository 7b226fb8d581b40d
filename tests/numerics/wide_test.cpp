// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/wide.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

__extension__ typedef __float128 Quad;

Quad centre(const Wide& x) { return Quad(x.hi) + Quad(x.lo); }

// |x - exact| <= error, up to the 2^-110 that quadruple precision itself loses.
bool holds(const Wide& x, Quad exact) {
  const Quad off = centre(x) > exact ? centre(x) - exact : exact - centre(x);
  const Quad size = exact > 0 ? exact : -exact;
  return off <= Quad(x.error) + size * Quad(0x1p-110);
}

RC_GTEST_PROP(Wide, RatioIsKnownTo95Bits, ()) {
  const double a = test::log_uniform(1e-100, 1e100);
  const double b = test::log_uniform(1e-100, 1e100);
  const Wide q = ratio(a, b);
  RC_ASSERT(holds(q, Quad(a) / Quad(b)));
  RC_ASSERT(q.error <= 0x1p-95 * q.hi);
}

RC_GTEST_PROP(Wide, ArithmeticKeepsItsErrorBound, ()) {
  const double a = test::log_uniform(1e-3, 1e3), b = test::log_uniform(1e-3, 1e3);
  const double c = test::log_uniform(1e-3, 1e3), d = test::log_uniform(1e-3, 1e3);
  const Wide x = ratio(a, b);
  const Wide y = ratio(c, d);
  const Quad exact_x = Quad(a) / Quad(b);
  const Quad exact_y = Quad(c) / Quad(d);
  RC_ASSERT(holds(x + y, exact_x + exact_y));
  RC_ASSERT(holds(x - y, exact_x - exact_y));
  RC_ASSERT(holds(x * y, exact_x * exact_y));
  const Wide root = sqrt(x);
  // (root +- error)^2 encloses x.
  const Quad low = centre(root) - Quad(root.error);
  const Quad high = centre(root) + Quad(root.error);
  RC_ASSERT(low * low <= exact_x * (1 + Quad(0x1p-105)) && high * high >= exact_x * (1 - Quad(0x1p-105)));
  RC_ASSERT(root.error <= 0x1p-90 * root.hi);
}

TEST(Wide, ExactNumbersHaveNoError) {
  EXPECT_EQ(ratio(1.0, 4.0).error, 0.0);
  EXPECT_EQ(ratio(1.0, 4.0).lo, 0.0);
  EXPECT_GT(ratio(1.0, 3.0).error, 0.0);
  EXPECT_EQ((Wide(1.0) - Wide(1.0)).error, 0.0);
  EXPECT_TRUE((Wide(1.0) - Wide(1.0)).is_zero());
  EXPECT_EQ(sqrt(Wide(4.0)).error, 0.0);
  EXPECT_TRUE(ratio(0.0, 3.0).is_zero());
  EXPECT_TRUE(sqrt(Wide()).is_zero());
}

TEST(Wide, RatiosOfExtremeNumbersKeepTheirDigits) {
  const Wide big = ratio(1.0, 1e-300);
  EXPECT_LE(big.error, 0x1p-95 * big.hi);
  const Wide subnormal = ratio(1e-310, 3e-310);
  EXPECT_LE(subnormal.error, 0x1p-95 * subnormal.hi);
}

TEST(Wide, CalculatingWithAnOverflowKnowsNothing) {
  const Wide beyond = ratio(1e300, 1e-300);
  EXPECT_EQ(enclose(beyond).lower(), rounding::kMax);
  for (const Wide& x : {sqrt(beyond), beyond * 1e-10, beyond - Wide(1.0), sqrt(Wide(1e308) * 2.0)}) {
    EXPECT_LE(enclose(x).lower(), 0.0);
    EXPECT_EQ(enclose(x).upper(), rounding::kInfinity);
  }
  EXPECT_EQ(difference(beyond, 1e308).upper(), rounding::kInfinity);
  EXPECT_GE(difference(beyond, 1e308).lower(), 7e307);
}

TEST(Wide, SquaresThatUnderflowHaveARoot) {
  const Wide tiny = Wide(1e-170) * Wide(1e-170);
  EXPECT_GE(enclose(sqrt(tiny + tiny)).upper(), 1.4e-170);
  EXPECT_LE(enclose(sqrt(tiny + tiny)).lower(), 1.4e-170);
}

TEST(Wide, EncloseIsTheTightestPairOfDoubles) {
  const Bracket third = enclose(ratio(1.0, 3.0));
  EXPECT_LT(third.lower(), third.upper());
  EXPECT_EQ(rounding::next_up(third.lower()), third.upper());
  EXPECT_TRUE(enclose(Wide(0.5)).is_exact());
}

TEST(Wide, Edges) {
  EXPECT_TRUE(std::isinf(ratio(1e300, 1e-300).hi));
  EXPECT_EQ(enclose(ratio(1e300, 1e-300)).upper(), rounding::kInfinity);
  const Bracket tiny = enclose(ratio(1e-300, 1e300));
  EXPECT_LE(tiny.lower(), 0.0);
  EXPECT_GE(tiny.upper(), rounding::kSmallest);
  const Bracket subnormal = enclose(ratio(1e-310, 3.0));
  EXPECT_LT(subnormal.lower(), subnormal.upper());
}

}  // namespace
}  // namespace doeblin::numerics
