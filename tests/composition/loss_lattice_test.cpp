// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/loss_lattice.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "support/generators.hpp"
#include "support/lattice.hpp"

namespace doeblin {
namespace {

LossPair random_pair() {
  const auto base = [] {
    switch (*rc::gen::inRange(0, 6)) {
      case 0: return profile_of(gdp(Gaussian{test::log_uniform(0.3, 30.0)}));
      case 1: return profile_of(Laplace{test::log_uniform(0.3, 30.0)});
      case 2: return profile_of(RandomizedResponse{test::uniform(0.5, 0.99)});
      case 3: return profile_of(BlackBox{test::log_uniform(0.01, 3.0), test::log_uniform(1e-9, 0.1)});
      case 4: return profile_of(DiscreteGaussian{test::log_uniform(0.5, 10.0)});
      default: return profile_of(DiscreteLaplace{test::log_uniform(0.5, 10.0), 2.0});
    }
  }();
  const LossPair pair = LossPair::symmetric_of(base);
  return *rc::gen::arbitrary<bool>() ? pair : poisson_sampled(pair, Bracket(test::log_uniform(1e-3, 1.0)));
}

// D at any real eps, by parity below 0.
Bracket divergence(const LossPair& pair, Direction direction, double epsilon) {
  const Profile& own = direction == Direction::kForward ? pair.forward : pair.backward;
  const Profile& other = direction == Direction::kForward ? pair.backward : pair.forward;
  if (epsilon >= 0.0) return own.delta(Epsilon(epsilon));
  const Bracket growth(std::exp(epsilon) * (1.0 - 1e-15), std::exp(epsilon) * (1.0 + 1e-15));
  return 1.0 - growth * (1.0 - other.delta(Epsilon(-epsilon)));
}

double dyadic_step() { return std::ldexp(1.0, -*rc::gen::inRange(3, 9)); }

// At every eps, also between grid points and below 0, the lattices lie on their sides of the divergence.
RC_GTEST_PROP(LossLattice, EnclosesTheDivergenceEverywhere, ()) {
  const LossPair pair = random_pair();
  const double step = dyadic_step() * (*rc::gen::arbitrary<bool>() ? 1.0 : 0.8125);
  const std::int64_t left = *rc::gen::inRange(1, 400);
  const std::int64_t right = *rc::gen::inRange(1, 400);
  const LossSamples samples(pair, step, left, right);
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const LossLattice upper = samples.lattice(direction, Side::kUpper);
    const LossLattice lower = samples.lattice(direction, Side::kLower);
    for (int i = 0; i < 40; ++i) {
      const double epsilon = test::uniform(-1.2 * step * 400.0, 1.2 * step * 400.0);
      const Bracket truth = divergence(pair, direction, epsilon);
      RC_ASSERT(test::delta_of(upper, epsilon) >= static_cast<long double>(truth.lower()) * (1.0L - 1e-17L));
      RC_ASSERT(test::delta_of(lower, epsilon) <= static_cast<long double>(truth.upper()) * (1.0L + 1e-17L));
    }
    for (const double mass : lower.mass) RC_ASSERT(mass >= 0.0);
    long double total = lower.infinite;
    for (const double mass : lower.mass) total += mass;
    RC_ASSERT(total <= 1.0L);
  }
}

// Kinks in either half of a cell, on a dense grid of epsilons: the lower lattice must stay below at all of them.
TEST(LossLattice, KinksBetweenGridPointsAreRespected) {
  for (const LossPair& pair : {poisson_sampled(LossPair::symmetric_of(profile_of(BlackBox{1.0, 0.1})), Bracket(0.5)),
                               poisson_sampled(LossPair::symmetric_of(profile_of(Laplace{0.7})), Bracket(0.3)),
                               LossPair::symmetric_of(profile_of(DiscreteGaussian{0.97}))})
    for (const double step : {0.203125, 0.0634765625, 0.01171875})
      for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
        const auto cells = static_cast<std::int64_t>(4.0 / step);
        const LossSamples samples(pair, step, cells, cells);
        const LossLattice upper = samples.lattice(direction, Side::kUpper);
        const LossLattice lower = samples.lattice(direction, Side::kLower);
        for (int i = -1500; i <= 1500; ++i) {
          const double epsilon = i * 0.002;
          const Bracket truth = divergence(pair, direction, epsilon);
          ASSERT_GE(test::delta_of(upper, epsilon), static_cast<long double>(truth.lower()) * (1.0L - 1e-17L));
          ASSERT_LE(test::delta_of(lower, epsilon), static_cast<long double>(truth.upper()) * (1.0L + 1e-17L))
              << step << " " << epsilon;
        }
      }
}

// The two sides close with the square of the step: halving it divides the gap by about four.
TEST(LossLattice, GapIsSecondOrder) {
  const LossPair pair = poisson_sampled(LossPair::symmetric_of(profile_of(gdp(Gaussian{1.0}))), Bracket(0.25));
  for (const double epsilon : {0.1, 0.5, 1.2}) {
    double gaps[2];
    for (int i = 0; i < 2; ++i) {
      const double step = i == 0 ? 0x1p-6 : 0x1p-8;
      const LossSamples samples(pair, step, std::llround(1.0 / step), std::llround(8.0 / step));
      gaps[i] = static_cast<double>(test::delta_of(samples.lattice(Direction::kForward, Side::kUpper), epsilon) -
                                    test::delta_of(samples.lattice(Direction::kForward, Side::kLower), epsilon));
    }
    EXPECT_GT(gaps[1], 0.0);
    EXPECT_LT(gaps[1], gaps[0] / 10.0);
    EXPECT_LT(gaps[1], 1e-4);
  }
}

// Atoms on the grid stay where they are. The lower lattice needs a grid point just below the highest loss.
TEST(LossLattice, RandomisedResponseOnItsOwnGridIsExact) {
  const RandomizedResponse m{0.75};
  const double odds = std::log(3.0);
  const double step = std::ldexp(std::floor(std::ldexp(odds / 4.0, 20)), -20);
  const LossSamples samples(LossPair::symmetric_of(profile_of(m)), step, 5, 5);
  for (const Side side : {Side::kLower, Side::kUpper}) {
    const LossLattice lattice = samples.lattice(Direction::kForward, side);
    EXPECT_NEAR(lattice.mass[static_cast<std::size_t>(4 - lattice.first)], 0.75, 1e-4);
    EXPECT_NEAR(lattice.mass[static_cast<std::size_t>(-4 - lattice.first)], 0.25, 1e-4);
  }
}

TEST(LossLattice, InfiniteLossesAreKept) {
  const LossSamples samples(LossPair::symmetric_of(profile_of(BlackBox{1.0, 1e-3})), 0x1p-6, 70, 70);
  EXPECT_NEAR(samples.lattice(Direction::kForward, Side::kUpper).infinite, 1e-3, 1e-12);
  EXPECT_NEAR(samples.lattice(Direction::kForward, Side::kLower).infinite, 1e-3, 1e-12);
}

// A range that is too short is paid for: the rest of the tail counts as infinite, or not at all.
TEST(LossLattice, ShortRangesAreCharged) {
  const Profile gaussian = profile_of(gdp(Gaussian{1.0}));
  const LossSamples samples(LossPair::symmetric_of(gaussian), 0x1p-5, 32, 32);
  EXPECT_GE(samples.lattice(Direction::kForward, Side::kUpper).infinite, gaussian.delta(Epsilon(1.0)).lower());
  EXPECT_EQ(samples.lattice(Direction::kForward, Side::kLower).infinite, 0.0);
}

TEST(LossLattice, NothingLeaksFromAMechanismThatSaysNothing) {
  const LossSamples samples(LossPair::symmetric_of(profile_of(RandomizedResponse{0.5})), 0x1p-5, 4, 4);
  EXPECT_LE(test::delta_of(samples.lattice(Direction::kForward, Side::kUpper), 0.0), 1e-12L);
  EXPECT_EQ(test::delta_of(samples.lattice(Direction::kForward, Side::kLower), 0.0), 0.0L);
}

}  // namespace
}  // namespace doeblin
