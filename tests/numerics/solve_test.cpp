// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/solve.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;

RC_GTEST_PROP(Solve, FindsNeighbouringDoublesAtAnyScale, ()) {
  const double root = test::log_uniform(1e-300, 1e300);
  const Bracket got = first_at_most([&](double x) { return Bracket(x < root ? 1.0 : 0.0); }, 0.5);
  RC_ASSERT(got.upper() == root);
  RC_ASSERT(got.lower() == rounding::next_down(root));
}

RC_GTEST_PROP(Solve, BothEndsAreCertifiedWhenTheFunctionIsUncertain, ()) {
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

TEST(Solve, Edges) {
  const auto constant = [](double value) { return [value](double) { return Bracket(value); }; };
  EXPECT_EQ(first_at_most(constant(0.5), 0.5), Bracket(0.0));
  EXPECT_EQ(first_at_most(constant(0.5), 0.4), Bracket(kInfinity));
  EXPECT_EQ(first_at_most([](double) { return Bracket(0.0, 1.0); }, 0.5), Bracket(0.0, kInfinity));
  // Only the limit is below the level.
  EXPECT_EQ(first_at_most([](double x) { return Bracket(std::isinf(x) ? 0.0 : 1.0); }, 0.5).upper(), kInfinity);
}

TEST(Solve, StopsAtTheRequestedWidth) {
  int evaluations = 0;
  const Bracket got = first_at_most([&](double x) { return ++evaluations, Bracket(1.0 / (1.0 + x)); }, 0.25, 1e-3);
  EXPECT_TRUE(got.contains(3.0));
  EXPECT_LE(got.relative_width(), 1e-3);
  EXPECT_LT(evaluations, 30);
}

RC_GTEST_PROP(Solve, EveryHalvingEndsWithASafeAndAnUnsafePoint, ()) {
  const double root = test::log_uniform(1e-3, 1e3);
  const auto below = [&](double x) { return x < root; };
  const auto above = [&](double x) { return x >= root; };
  const auto check = [&](const Sides<double>& up, const Sides<double>& down, double width) {
    RC_ASSERT(below(up.safe) && above(up.unsafe) && up.unsafe - up.safe <= width * root);
    RC_ASSERT(above(down.safe) && below(down.unsafe) && down.safe - down.unsafe <= width * root);
  };
  const Sides<double> up{.safe = 1e-4, .unsafe = 1e4};
  const Sides<double> down{.safe = 1e4, .unsafe = 1e-4};
  const Halving plain{.steps = 100, .width = 1e-9};
  check(narrowed(up, below, plain), narrowed(down, above, plain), 1.1e-9);
  const LogHalving logarithmic{.ratio = 1.001};
  check(narrowed(up, below, logarithmic), narrowed(down, above, logarithmic), 1.1e-3);
  const DoubleHalving doubles;
  check(narrowed(up, below, doubles), narrowed(down, above, doubles), 0x1p-51);
}

RC_GTEST_PROP(Solve, WholeNumbersEndNextToEachOther, ()) {
  const auto last = *rc::gen::inRange<std::uint64_t>(0, 1U << 30U);
  const auto found = narrowed<std::uint64_t>(
      {.safe = 0, .unsafe = 1U << 30U}, [&](auto k) { return k <= last; }, WholeHalving{});
  RC_ASSERT(found.safe == last && found.unsafe == last + 1);
  const auto first = static_cast<double>(last) + 1.0;
  const auto doubles = narrowed<double>(
      {.safe = 0x1p30, .unsafe = 0.0}, [&](double k) { return k >= first; }, WholeHalving{});
  RC_ASSERT(doubles.safe == first && doubles.unsafe == first - 1.0);
}

TEST(Solve, HalvingStops) {
  int asked = 0;
  const auto never = [&](double) { return ++asked, false; };
  EXPECT_EQ(narrowed<double>({.safe = 1.0, .unsafe = 2.0}, never, Halving{.steps = 7}).safe, 1.0);
  EXPECT_EQ(asked, 7);
  EXPECT_EQ(narrowed<double>({.safe = 1.0, .unsafe = 2.0}, never, LogHalving{.steps = 7}).safe, 1.0);
  EXPECT_EQ(asked, 14);
  // Nothing to ask: equal ends, neighbours, not a number.
  for (const double end : {1.0, std::nan("")})
    EXPECT_EQ(Halving{.steps = 7}(Sides<double>{.safe = 1.0, .unsafe = end}), std::nullopt);
  EXPECT_EQ(DoubleHalving{}(Sides<double>{.safe = 1.0, .unsafe = rounding::next_up(1.0)}), std::nullopt);
  EXPECT_EQ(WholeHalving{}(Sides<std::size_t>{.safe = 4, .unsafe = 3}), std::nullopt);
}

TEST(Solve, GrowsUntilSafe) {
  const auto found = grown(1.0, 2.0, 64.0, [](double x) { return x >= 40.0; });
  ASSERT_TRUE(found.has_value());
  EXPECT_EQ(found->safe, 64.0);
  EXPECT_EQ(found->unsafe, 32.0);
  EXPECT_FALSE(grown(1.0, 2.0, 63.0, [](double x) { return x >= 40.0; }).has_value());
}

TEST(Solve, FalsePositionFindsTheRootOfALineAndStaysInside) {
  EXPECT_EQ(FalsePosition{}.share(1.0, -3.0), 0.25);
  EXPECT_EQ((FalsePosition{.lean = 0.125}.share(1.0, -3.0)), 0.375);
  EXPECT_EQ((FalsePosition{.least = 0.3}.share(1.0, -3.0)), 0.3);
  EXPECT_EQ((FalsePosition{.most = 0.9}.share(1.0, 0.0)), 0.9);
  EXPECT_EQ(FalsePosition{}.share(kInfinity, -3.0), 0.5);
  EXPECT_EQ(FalsePosition{}.share(1.0, -kInfinity), 0.5);
  SameSide side;
  for (const bool safe : {true, true, false, true, true}) {
    side.moved(safe);
    EXPECT_FALSE(side.is_stuck());
  }
  side.moved(true);
  EXPECT_TRUE(side.is_stuck());
  side.moved(false);
  EXPECT_FALSE(side.is_stuck());
}

TEST(Solve, LikelyRootOfWhatRises) {
  int asked = 0;
  const auto cube = [&](double x) { return ++asked, x * x * x - 2.0; };
  EXPECT_NEAR(likely_root(cube, 0.0, 10.0, 1e-13), std::cbrt(2.0), 1e-12);
  EXPECT_LT(asked, 25);
  EXPECT_EQ(likely_root(cube, 2.0, 10.0, 1e-13), 2.0);
  EXPECT_EQ(likely_root(cube, -10.0, 1.0, 1e-13), 1.0);
  EXPECT_EQ(likely_root(cube, 3.0, 3.0, 1e-13), 3.0);
}

}  // namespace
}  // namespace doeblin::numerics
