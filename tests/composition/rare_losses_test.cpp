// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "composition/graded_samples.hpp"
#include "doeblin/composition/loss_composition.hpp"
#include "doeblin/composition/tail_curve.hpp"
#include "doeblin/composition/tilted_lattice.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "support/generators.hpp"
#include "support/lattice.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Row;

LossPairs rarely_sampled(double sigma, double rate) {
  return poisson_sampled(LossPairs::exact(LossPair::symmetric_of(profile_of(gdp(Gaussian{sigma})))), Bracket(rate));
}

// delta from 1e-3 to 1e-12, where a few large losses in up to 100,000 releases decide.
TEST(RareLosses, MatchTheTable) {
  const std::vector<Row> rows = test::read_table("composed_low_noise_delta.csv");
  ASSERT_GE(rows.size(), 6u);
  for (const Row& row : rows) {
    const auto direction = row["direction"] == 0.0 ? Direction::kForward : Direction::kBackward;
    const Bracket found =
        LossComposition({{rarely_sampled(row["sigma"], row["rate"]), row["count"]}}, kCompositionGoal, {direction})
            .delta(Epsilon(row["epsilon"]));
    EXPECT_LE(found.lower(), row["truth_down"]) << row.text << " gave " << found;
    EXPECT_GE(found.upper(), row["truth_up"]) << row.text << " gave " << found;
    EXPECT_LE(found.relative_width(), 1e-2) << row.text << " gave " << found;
  }
}

// Less noise and smaller rates than a table can be made for: both sides meet.
TEST(RareLosses, BothSidesMeet) {
  for (const double count : {1e5, 1e6}) {
    const Bracket epsilon = LossComposition({{rarely_sampled(0.3, 1e-6), count}}).epsilon(Delta(1e-6));
    EXPECT_LE(epsilon.width(), 1e-3) << count;
  }
}

// The epsilon of a delta lies on the right sides of the table's deltas, and the bracket is as narrow as promised.
TEST(RareLosses, EpsilonsAreNarrow) {
  for (const Row& row : test::read_table("composed_low_noise_delta.csv")) {
    if (row["direction"] != 0.0) continue;
    const LossComposition composition({{rarely_sampled(row["sigma"], row["rate"]), row["count"]}});
    const Bracket found = composition.epsilon(Delta(row["truth_up"]));
    EXPECT_LE(found.lower(), row["epsilon"]) << row.text;
    EXPECT_GE(found.upper(), row["epsilon"] - 1e-9) << row.text;
    EXPECT_LE(found.width(), 1e-3) << row.text << " gave " << found;
  }
}

ScatteredLosses random_losses() {
  ScatteredLosses losses;
  double at = test::uniform(-3.0, 1.0);
  const int points = *rc::gen::inRange(1, 60);
  for (int i = 0; i < points; ++i) {
    losses.loss.push_back(at);
    losses.mass.push_back(*rc::gen::inRange(0, 5) == 0 ? 0.0 : std::exp(test::uniform(-50.0, -4.0)));
    at += test::log_uniform(1e-7, 0.5);
  }
  losses.mass[static_cast<std::size_t>(points) / 2] += 0.4;
  return losses;
}

long double delta_of(const ScatteredLosses& losses, double epsilon) {
  long double sum = losses.infinite;
  for (std::size_t i = 0; i < losses.loss.size(); ++i)
    if (losses.loss[i] > epsilon)
      sum += losses.mass[i] * -std::expm1(static_cast<long double>(epsilon) - losses.loss[i]);
  return sum;
}

// However fine or coarse the even grid is.
RC_GTEST_PROP(PlacedLosses, LieOnTheirSides, ()) {
  const ScatteredLosses losses = random_losses();
  const double step = std::ldexp(*rc::gen::inRange(17, 31), -*rc::gen::inRange(4, 15));
  const LossLattice upper = placed(losses, step, Side::kUpper);
  const LossLattice lower = placed(losses, step, Side::kLower);
  for (int i = 0; i < 60; ++i) {
    const double epsilon = test::uniform(losses.loss.front() - 2.0 * step, losses.loss.back() + 2.0 * step);
    const long double truth = delta_of(losses, epsilon);
    RC_ASSERT(test::delta_of(upper, epsilon) >= truth * (1.0L - 1e-17L));
    RC_ASSERT(test::delta_of(lower, epsilon) <= truth * (1.0L + 1e-17L));
  }
}

// What is lost is of second order: a smooth law on two grids.
TEST(PlacedLosses, CloseLikeTheSquareOfTheStep) {
  ScatteredLosses losses;
  for (int k = -4000; k <= 4000; ++k) {
    losses.loss.push_back(k * 0x1p-10);
    losses.mass.push_back(std::exp(-0.5 * losses.loss.back() * losses.loss.back()) * 0x1p-12);
  }
  const auto gap = [&](double step) {
    return static_cast<double>(test::delta_of(placed(losses, step, Side::kUpper), 1.0) -
                               test::delta_of(placed(losses, step, Side::kLower), 1.0));
  };
  EXPECT_LT(gap(0x1p-5), 1e-4);
  EXPECT_LT(gap(0x1p-6), 0.35 * gap(0x1p-5));
}

Bracket divergence_towards(const LossPair& pair, Direction direction, double epsilon) {
  const Profile& own = direction == Direction::kForward ? pair.forward : pair.backward;
  const Profile& other = direction == Direction::kForward ? pair.backward : pair.forward;
  if (epsilon >= 0.0) return own.delta(Epsilon(epsilon));
  const Bracket growth(std::exp(epsilon) * (1.0 - 1e-15), std::exp(epsilon) * (1.0 + 1e-15));
  return 1.0 - growth * (1.0 - other.delta(Epsilon(-epsilon)));
}

LossPair random_rare_pair() {
  const auto base = [] {
    switch (*rc::gen::inRange(0, 3)) {
      case 0: return profile_of(gdp(Gaussian{test::log_uniform(0.2, 3.0)}));
      case 1: return profile_of(Laplace{test::log_uniform(0.1, 3.0)});
      default: return profile_of(DiscreteGaussian{test::log_uniform(0.5, 3.0)});
    }
  }();
  return poisson_sampled(LossPair::symmetric_of(base), Bracket(test::log_uniform(1e-7, 0.5)));
}

// At losses of every size, in both directions.
RC_GTEST_PROP(GradedSamples, EncloseTheDivergence, ()) {
  const LossPair pair = random_rare_pair();
  const double end = test::log_uniform(1e-3, 20.0);
  const GradedSamples samples(pair, end, end, std::ldexp(1.0, -*rc::gen::inRange(3, 8)), *rc::gen::inRange(0, 2));
  RC_PRE(samples.is_usable());
  for (const Direction direction : {Direction::kForward, Direction::kBackward}) {
    const ScatteredLosses upper = samples.losses(direction, Side::kUpper);
    const ScatteredLosses lower = samples.losses(direction, Side::kLower);
    for (int i = 0; i < 40; ++i) {
      const double epsilon = (i % 2 == 0 ? 1.0 : -1.0) * test::log_uniform(1e-9, 1.2 * end);
      const Bracket truth = divergence_towards(pair, direction, epsilon);
      RC_ASSERT(delta_of(upper, epsilon) >= static_cast<long double>(truth.lower()) * (1.0L - 1e-17L));
      RC_ASSERT(delta_of(lower, epsilon) <= static_cast<long double>(truth.upper()) * (1.0L + 1e-17L));
    }
  }
}

TEST(GradedGrid, HalvesAreExactAndCellsGrowWithTheDistance) {
  const GradedGrid grid(
      {.end = 10.0, .finest = 1e-6, .widest = 0.1, .relative = 0x1p-5, .edges = {3.3}, .finest_at_edge = 1e-8});
  const std::int64_t cells = grid.cells_to(10.0);
  EXPECT_GE(grid.point(cells), 10.0);
  const std::vector<double> halves = grid.halves(cells);
  ASSERT_EQ(halves.size(), static_cast<std::size_t>(2 * cells + 2));
  for (std::int64_t k = 0; k < cells; ++k) {
    const double width = grid.point(k + 1) - grid.point(k);
    EXPECT_GT(width, 0.0);
    EXPECT_LE(width, 0.1);
    EXPECT_LE(width, std::max(1e-6, 0x1p-5 * grid.point(k)));
    EXPECT_LE(width, std::max(1e-8, 0x1p-5 * std::fabs(grid.point(k) - 3.3)));
    const auto middle = static_cast<std::size_t>(2 * k + 1);
    EXPECT_EQ(halves[middle] - grid.point(k), grid.point(k + 1) - halves[middle]);
  }
  EXPECT_TRUE(GradedGrid({.end = 10.0, .finest = 1e-6, .widest = 1e-6, .relative = 0.1}).is_empty());
}

// A loss of 0 in most releases: every mass of the sum, against the definition.
TEST(TiltedLattice, RareLossesAreOnTheirSides) {
  for (const int count : {64, 500, 3000}) {
    const double share = 1.5 / count;
    TiltedLattice lattice{
        .step = 0x1p-4, .first = -1, .mass = {0.3 * share, 1.0 - share, 0.2 * share, 0.0, 0.5 * share}};
    const LossWindow window = window_of({{&lattice, static_cast<double>(count)}}, 1e-18);
    const TiltedLattice upper = convolved({{&lattice, static_cast<double>(count)}}, window, Side::kUpper);
    const TiltedLattice lower = convolved({{&lattice, static_cast<double>(count)}}, window, Side::kLower);
    // The number of rare losses is binomial; each is -1, 1 or 3 steps.
    const auto mass_at = [&](int wanted) {
      long double sum = 0.0L;
      for (int a = 0; a <= 40; ++a)
        for (int b = 0; b <= 40; ++b)
          for (int c = 0; c <= 20; ++c)
            if (-a + b + 3 * c == wanted && a + b + c <= count) {
              const int rest = count - a - b - c;
              sum += std::exp(
                  std::lgamma(static_cast<long double>(count + 1)) - std::lgamma(static_cast<long double>(a + 1)) -
                  std::lgamma(static_cast<long double>(b + 1)) - std::lgamma(static_cast<long double>(c + 1)) -
                  std::lgamma(static_cast<long double>(rest + 1)) +
                  a * std::log(static_cast<long double>(lattice.mass[0])) +
                  b * std::log(static_cast<long double>(lattice.mass[2])) +
                  c * std::log(static_cast<long double>(lattice.mass[4])) +
                  rest * std::log(static_cast<long double>(lattice.mass[1])));
            }
      return sum;
    };
    for (int at = -5; at <= 15; ++at) {
      const auto k = static_cast<std::size_t>(at - window.first);
      const long double truth = mass_at(at);
      EXPECT_GE(upper.mass.at(k), truth * (1.0L - 1e-15L)) << count << " " << at;
      EXPECT_LE(lower.mass.at(k), truth * (1.0L + 1e-15L)) << count << " " << at;
      EXPECT_LE(upper.mass[k] - lower.mass[k], 1e-13) << count << " " << at;
    }
  }
}

// The same law with and without an offset.
TEST(TailCurve, OffsetsMoveEpsilon) {
  TiltedLattice lattice{.step = 0x1p-4, .first = -2, .mass = {0.2, 0.3, 0.1, 0.2, 0.2}};
  TiltedLattice moved = lattice;
  moved.offset = 0.25;
  for (const Side side : {Side::kLower, Side::kUpper})
    for (const double epsilon : {0.25, 0.3, 0.31, 0.375, 0.4}) {
      EXPECT_EQ(TailCurve(moved, side).delta(epsilon), TailCurve(lattice, side).delta(epsilon - 0.25)) << epsilon;
      const long double truth = test::delta_of(moved, epsilon);
      if (side == Side::kUpper)
        EXPECT_GE(TailCurve(moved, side).delta(epsilon), truth);
      else
        EXPECT_LE(TailCurve(moved, side).delta(epsilon), truth);
    }
  const LatticePart part{&moved, 3.0};
  EXPECT_EQ(convolved({part}, window_of({part}, 1e-15), Side::kUpper).offset, 0.75);
}

}  // namespace
}  // namespace doeblin
