// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/root.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;

RC_GTEST_PROP(Root, FindsNeighbouringDoublesAtAnyScale, ()) {
  const double root = test::log_uniform(1e-300, 1e300);
  const Bracket got = first_at_most([&](double x) { return Bracket(x < root ? 1.0 : 0.0); }, 0.5);
  RC_ASSERT(got.upper() == root);
  RC_ASSERT(got.lower() == rounding::next_down(root));
}

RC_GTEST_PROP(Root, BothEndsAreCertifiedWhenTheFunctionIsUncertain, ()) {
  const double rate = test::log_uniform(1e-3, 1e3);
  const double level = test::log_uniform(1e-200, 0.9);
  const double doubt = test::log_uniform(1e-14, 1e-2);
  const auto f = [&](double x) {
    const double value = std::exp(-rate * x);
    return Bracket(value * (1.0 - doubt), value * (1.0 + doubt));
  };
  const Bracket got = first_at_most(f, level);
  RC_ASSERT(f(got.upper()).upper() <= level);
  RC_ASSERT(got.lower() == 0.0 || f(got.lower()).lower() > level);
  const double truth = -std::log(level) / rate;
  RC_ASSERT(got.lower() <= truth * (1 + 1e-14) && truth * (1 - 1e-14) <= got.upper());
  RC_ASSERT(got.width() <= 3.0 * doubt / rate + 1e-13 * truth);
}

TEST(Root, Edges) {
  const auto constant = [](double value) { return [value](double) { return Bracket(value); }; };
  EXPECT_EQ(first_at_most(constant(0.5), 0.5), Bracket(0.0));
  EXPECT_EQ(first_at_most(constant(0.5), 0.4), Bracket(kInfinity));
  EXPECT_EQ(first_at_most([](double) { return Bracket(0.0, 1.0); }, 0.5), Bracket(0.0, kInfinity));
  // Only the limit is below the level.
  EXPECT_EQ(first_at_most([](double x) { return Bracket(std::isinf(x) ? 0.0 : 1.0); }, 0.5).upper(), kInfinity);
}

TEST(Root, StopsAtTheRequestedWidth) {
  int evaluations = 0;
  const Bracket got = first_at_most([&](double x) { return ++evaluations, Bracket(1.0 / (1.0 + x)); }, 0.25, 1e-3);
  EXPECT_TRUE(got.contains(3.0));
  EXPECT_LE(got.relative_width(), 1e-3);
  EXPECT_LT(evaluations, 30);
}

}  // namespace
}  // namespace doeblin::numerics
