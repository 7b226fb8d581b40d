// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/tail_curve.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/lattice.hpp"

namespace doeblin {
namespace {

TiltedLattice random_lattice() {
  LossLattice lattice{.step = std::ldexp(0.8125, -*rc::gen::inRange(2, 8)), .first = *rc::gen::inRange(-200, 50)};
  const int points = *rc::gen::inRange(1, 400);
  for (int k = 0; k < points; ++k) lattice.mass.push_back(std::exp(test::uniform(-30.0, 0.0)) / points);
  lattice.infinite = *rc::gen::arbitrary<bool>() ? 0.0 : 1e-9;
  return tilted(lattice, *rc::gen::arbitrary<bool>() ? 0.0 : test::log_uniform(0.01, 30.0), Side::kUpper);
}

RC_GTEST_PROP(TailCurve, EnclosesTheSum, ()) {
  const TiltedLattice lattice = random_lattice();
  const TailCurve upper(lattice, Side::kUpper);
  const TailCurve lower(lattice, Side::kLower);
  for (int i = 0; i < 40; ++i) {
    // Between grid points and on them.
    const double any = test::uniform(0.0, 400.0 * lattice.step);
    const double epsilon = *rc::gen::arbitrary<bool>() ? any : std::floor(any / lattice.step) * lattice.step;
    const long double exact = std::min(1.0L, test::delta_of(lattice, epsilon));
    RC_ASSERT(upper.delta(epsilon) >= exact * (1.0L - 1e-17L));
    RC_ASSERT(lower.delta(epsilon) <= exact * (1.0L + 1e-17L));
    if (exact > 1e-200L) RC_ASSERT(upper.delta(epsilon) - lower.delta(epsilon) <= 1e-9L * exact + 1e-16L);
  }
}

RC_GTEST_PROP(TailCurve, EpsilonIsOnItsSide, ()) {
  const TiltedLattice lattice = random_lattice();
  const double level = test::log_uniform(1e-8, 0.9);
  const double above = TailCurve(lattice, Side::kUpper).epsilon(level);
  const double below = TailCurve(lattice, Side::kLower).epsilon(level);
  RC_ASSERT(test::delta_of(lattice, above) <= level * (1.0L + 1e-17L));
  if (below > 0.0) RC_ASSERT(test::delta_of(lattice, below * (1.0 - 1e-12)) > level * (1.0L - 1e-9L));
  RC_ASSERT(below <= above);
}

TEST(TailCurve, ALowerCurveIsLookedAtWhereItsTiltSeesIt) {
  // So tilted, nothing is seen at 0; next to the largest loss everything is.
  const TiltedLattice lattice = tilted({.step = 1.0, .first = 0, .mass = {0.5, 0.499, 0.001}}, 1000.0, Side::kLower);
  const TailCurve lower(lattice, Side::kLower);
  EXPECT_EQ(lower.delta(0.0), 0.0);
  // 1e-3 (1 - e^{eps - 2}) = 1e-6
  const double exact = 2.0 + std::log1p(-1e-3);
  EXPECT_LE(lower.epsilon(1e-6), exact);
  EXPECT_NEAR(lower.epsilon(1e-6), exact, 1e-9);
  EXPECT_EQ(lower.epsilon(0.01), 0.0);
}

TEST(TailCurve, StrayMassIsCharged) {
  TiltedLattice lattice = tilted({.step = 1.0, .first = 0, .mass = {0.5, 0.5}}, 1.0, Side::kUpper);
  const double without = TailCurve(lattice, Side::kUpper).delta(0.25);
  lattice.stray = 1e-3;
  // At worst it sits where e^{-tilt (x - eps)} (1 - e^{eps - x}) is largest, 1/4 for a tilt of 1.
  const double worst = std::exp(lattice.log_scale - 0.25) * 1e-3 * 0.25;
  EXPECT_GE(TailCurve(lattice, Side::kUpper).delta(0.25), without + worst);
}

TEST(TailCurve, InfiniteLossesHaveNoEpsilon) {
  const TiltedLattice lattice = tilted({.step = 1.0, .first = 0, .mass = {0.9}, .infinite = 0.1}, 0.0, Side::kUpper);
  EXPECT_EQ(TailCurve(lattice, Side::kUpper).epsilon(0.05), rounding::kInfinity);
  EXPECT_EQ(TailCurve(lattice, Side::kLower).epsilon(0.05), rounding::kInfinity);
  EXPECT_EQ(TailCurve(lattice, Side::kLower).epsilon(0.5), 0.0);
}

TEST(TailCurve, BeyondTheLastLossOnlyInfiniteOnesAreLeft) {
  const TiltedLattice lattice = tilted({.step = 1.0, .first = 0, .mass = {0.5, 0.5}}, 0.0, Side::kUpper);
  EXPECT_LE(TailCurve(lattice, Side::kUpper).delta(5.0), 1e-270);
  EXPECT_EQ(TailCurve(lattice, Side::kLower).delta(5.0), 0.0);
}

}  // namespace
}  // namespace doeblin
