// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/projected_noise.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/iteration/contraction.hpp"
#include "doeblin/iteration/shift.hpp"
#include "doeblin/numerics/theta.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/gdp.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

IntervalNoise noise_of(const test::Row& row, ProjectedLaw law) {
  return {law, row["sigma"], row["low"], row["high"], row["lipschitz"], row["mean_low"], row["mean_high"]};
}

void check_interval(const std::string& table, ProjectedLaw law) {
  const auto evaluate = [law](const test::Row& row) {
    return hockey_stick(noise_of(row, law), Epsilon(row["epsilon"]));
  };
  test::check_table(table, evaluate, {.relative_width = 1e-5, .is_sensitive = [&](const test::Row& row) {
                                        return test::is_ill_conditioned(row, "epsilon", evaluate);
                                      }});
}

TEST(ProjectedNoise, GaussiansOnAnIntervalMatchTheTable) {
  check_interval("mixing_projected_gaussian_delta.csv", ProjectedLaw::kGaussian);
}

TEST(ProjectedNoise, LaplaceOnAnIntervalMatchesTheTable) {
  check_interval("mixing_projected_laplace_delta.csv", ProjectedLaw::kLaplace);
}

TEST(ProjectedNoise, APureStepWhereTheMapStaysInside) {
  // e0 = -log(2 Q(D/v)): from there on nothing is left (catalogue M).
  const IntervalNoise noise{.scale = 0.5, .mean_low = 0.0, .mean_high = 1.0};
  const double level = -std::log(std::erfc(2.0 / std::sqrt(2.0)));
  EXPECT_GT(hockey_stick(noise, Epsilon(level - 1e-6)).lower(), 0.0);
  EXPECT_EQ(hockey_stick(noise, Epsilon(level + 1e-6)).upper(), 0.0);
}

TEST(ProjectedNoise, Edges) {
  const auto kappa = [](const IntervalNoise& noise, double epsilon) { return hockey_stick(noise, Epsilon(epsilon)); };
  EXPECT_EQ(kappa({.lipschitz = 0.0}, 0.0).upper(), 0.0);
  EXPECT_EQ(kappa({.low = 1.0, .high = 1.0}, 0.0).upper(), 0.0);
  EXPECT_EQ(kappa({.mean_low = 0.5, .mean_high = 0.5}, 0.0).upper(), 0.0);
  EXPECT_EQ(kappa({}, kInfinity).upper(), 0.0);
  EXPECT_EQ(kappa({.scale = 1e-9}, 0.0).upper(), 1.0);
  // A range of means that says nothing changes nothing.
  EXPECT_EQ(kappa({}, 1.0), numerics::theta(1.0, numerics::Wide(1.0)));
  const double nan = std::nan("");
  for (const IntervalNoise& bad : std::vector<IntervalNoise>{{.scale = 0.0},
                                                             {.scale = nan},
                                                             {.scale = kInfinity},
                                                             {.low = nan},
                                                             {.low = -kInfinity},
                                                             {.low = 2.0},
                                                             {.high = kInfinity},
                                                             {.lipschitz = -1.0},
                                                             {.lipschitz = nan},
                                                             {.mean_low = nan},
                                                             {.mean_low = 1.0, .mean_high = 0.0}}) {
    EXPECT_THROW((void)kappa(bad, 1.0), InvalidArgument);
    EXPECT_THROW((void)interval_kernel(bad, 2.0), InvalidArgument);
  }
  for (const double steps : {0.0, -1.0, 1.5, nan, kInfinity}) {
    EXPECT_THROW((void)interval_kernel({}, steps), InvalidArgument);
    EXPECT_THROW((void)ball_kernel({}, steps), InvalidArgument);
  }
  for (const BallNoise& bad :
       std::vector<BallNoise>{{.scale = 0.0}, {.radius = -1.0}, {.radius = kInfinity}, {.lipschitz = nan}})
    EXPECT_THROW((void)ball_kernel(bad, 1.0), InvalidArgument);
}

RC_GTEST_PROP(ProjectedNoise, IsMonotone, ()) {
  const ProjectedLaw law = *rc::gen::element(ProjectedLaw::kGaussian, ProjectedLaw::kLaplace);
  const double steps = *rc::gen::element(1.0, 2.0, 3.0, 7.0);
  IntervalNoise noise{.law = law, .scale = test::log_uniform(0.05, 5.0), .lipschitz = test::uniform(0.0, 1.5)};
  if (*rc::gen::element(0, 1) == 1) noise.mean_low = 0.0, noise.mean_high = 1.0;
  const Epsilon epsilon(test::uniform(0.0, 3.0));
  const auto kappa = [&](const IntervalNoise& one, double count, const Epsilon& at) {
    return interval_kernel(one, count).profile.delta(at).upper();
  };
  const double value = kappa(noise, steps, epsilon);
  const double slack = 1e-9 * value + 1e-300;
  RC_ASSERT(kappa(noise, steps + 1.0, epsilon) <= value + slack);
  RC_ASSERT(kappa(noise, steps, Epsilon(epsilon.value() + 0.1)) <= value + slack);
  IntervalNoise louder = noise;
  louder.scale *= 1.1;
  RC_ASSERT(kappa(louder, steps, epsilon) <= value + slack);
  IntervalNoise narrower = noise;
  narrower.lipschitz *= 0.9;
  RC_ASSERT(kappa(narrower, steps, epsilon) <= value + slack);
  IntervalNoise freer = noise;
  freer.mean_low = -kInfinity;
  RC_ASSERT(value <= kappa(freer, steps, epsilon) + slack);
}

// A ball of dimension 1 is an interval, and more dimensions are no better known.
RC_GTEST_PROP(ProjectedNoise, ABallIsAnIntervalWithoutARangeOfMeans, ()) {
  const double scale = test::log_uniform(0.1, 5.0);
  const double lipschitz = test::uniform(0.1, 1.5);
  const double steps = *rc::gen::element(1.0, 2.0, 5.0);
  const Epsilon epsilon(test::uniform(0.0, 2.0));
  const double ball =
      ball_kernel({.scale = scale, .radius = 0.5, .lipschitz = lipschitz}, steps).profile.delta(epsilon).upper();
  const double interval =
      interval_kernel({.scale = scale, .lipschitz = lipschitz}, steps).profile.delta(epsilon).upper();
  RC_ASSERT(std::fabs(ball - interval) <= 1e-9 * ball);
  const double laplace = interval_kernel({.law = ProjectedLaw::kLaplace, .scale = scale, .lipschitz = lipschitz}, steps)
                             .profile.delta(epsilon)
                             .upper();
  const double laplace_ball =
      ball_kernel({ProjectedLaw::kLaplace, scale, 0.5, lipschitz}, steps).profile.delta(epsilon).upper();
  RC_ASSERT(laplace <= laplace_ball * (1.0 + 1e-9));
}

// The same partitions through the logarithms that hidden runs use: an independent route to the same number.
RC_GTEST_PROP(ProjectedNoise, SeveralStepsAreTheBestPartitionInLogarithms, ()) {
  const double scale = test::log_uniform(0.2, 3.0);
  const double lipschitz = test::uniform(0.3, 1.3);
  const std::size_t steps = *rc::gen::inRange<std::size_t>(2, 6);
  const Epsilon epsilon(test::uniform(0.01, 1.0));
  const NoisySteps run({Bracket(lipschitz), Bracket(scale)}, steps);
  std::vector<double> best(steps + 1, 0.0);
  for (std::size_t k = 1; k <= steps; ++k) {
    best[k] = rounding::kInfinity;
    for (std::size_t j = 0; j < k; ++j)
      best[k] = std::min(best[k], contracted(best[j], epsilon, kernel_level(run, 0, k - j, 1.0).upper()));
  }
  if (best[steps] < -600.0) return;
  const double expected = std::exp(best[steps]);
  const MixingKernel interval = interval_kernel({.scale = scale, .lipschitz = lipschitz}, static_cast<double>(steps));
  const MixingKernel ball =
      ball_kernel({.scale = scale, .radius = 0.5, .lipschitz = lipschitz}, static_cast<double>(steps));
  for (const MixingKernel& kernel : {interval, ball}) {
    const double upper = kernel.profile.delta(epsilon).upper();
    RC_ASSERT(upper >= expected * (1.0 - 1e-7));
    RC_ASSERT(upper <= expected * (1.0 + 1e-6));
  }
}

TEST(ProjectedNoise, LaplaceOnABallIsLocallyPure) {
  const MixingKernel ball = ball_kernel({ProjectedLaw::kLaplace, 2.0, 1.5, 0.5}, 1.0);
  for (const double epsilon : {0.0, 0.3, 0.7, 0.75, 1.0}) {
    const double exact = delta(BlackBox{.epsilon = 0.75}, Epsilon(epsilon)).lower();
    EXPECT_GE(ball.profile.delta(Epsilon(epsilon)).upper(), exact);
    EXPECT_LE(ball.profile.delta(Epsilon(epsilon)).upper(), exact + 1e-14);
  }
}

// Chains on a grid: linear maps, thresholds and folds, several steps. None is above the bound for all maps.
TEST(ProjectedNoise, NoDiscretisedChainIsAboveTheBound) {
  constexpr std::size_t kCells = 120;
  const auto phi = [](double x) { return 0.5 * std::erfc(-x / std::sqrt(2.0)); };
  for (const double scale : {0.2, 0.5, 1.5})
    for (const double lipschitz : {0.5, 1.0, 1.4})
      for (const bool inside : {false, true}) {
        IntervalNoise noise{.scale = scale, .lipschitz = lipschitz};
        if (inside) noise.mean_low = 0.0, noise.mean_high = 1.0;
        const std::function<double(double)> maps[] = {
            [&](double x) { return 0.5 + lipschitz * (x - 0.5); },
            [&](double x) { return 0.5 - lipschitz * (x - 0.5); },
            [&](double x) { return lipschitz * x; },
            [&](double x) { return std::fabs(lipschitz * (x - 0.5)); },
        };
        for (const auto& map : maps) {
          // Laws on atoms at 0 and 1 and kCells cells between; a cell is represented by its centre.
          std::vector<double> from_low(kCells + 2, 0.0);
          std::vector<double> from_high(kCells + 2, 0.0);
          from_low.front() = 1.0;
          from_high.back() = 1.0;
          const auto place = [&](std::size_t k) {
            return k == 0 ? 0.0 : k == kCells + 1 ? 1.0 : (static_cast<double>(k) - 0.5) / static_cast<double>(kCells);
          };
          const auto step = [&](const std::vector<double>& law) {
            std::vector<double> next(kCells + 2, 0.0);
            for (std::size_t k = 0; k < law.size(); ++k) {
              if (law[k] == 0.0) continue;
              double mean = map(place(k));
              if (inside) mean = std::clamp(mean, 0.0, 1.0);
              double below = phi((0.0 - mean) / scale);
              next[0] += law[k] * below;
              for (std::size_t cell = 1; cell <= kCells; ++cell) {
                const double up_to = phi((static_cast<double>(cell) / kCells - mean) / scale);
                next[cell] += law[k] * (up_to - below);
                below = up_to;
              }
              next[kCells + 1] += law[k] * (1.0 - below);
            }
            return next;
          };
          for (double steps = 1.0; steps <= 4.0; ++steps) {
            from_low = step(from_low);
            from_high = step(from_high);
            const Profile bound = interval_kernel(noise, steps).profile;
            for (const double epsilon : {0.0, 0.1, 0.5, 1.0}) {
              double there = 0.0;
              double back = 0.0;
              for (std::size_t k = 0; k < from_low.size(); ++k) {
                there += std::max(0.0, from_high[k] - std::exp(epsilon) * from_low[k]);
                back += std::max(0.0, from_low[k] - std::exp(epsilon) * from_high[k]);
              }
              // Grouping into cells is post-processing, and taking centres is a map that jumps by half a cell.
              const double room = 1.0 + 1.0 / kCells;
              EXPECT_LE(std::max(there, back), bound.delta(Epsilon(epsilon / room)).upper() * room + 1e-12)
                  << "scale " << scale << " lipschitz " << lipschitz << " steps " << steps << " epsilon " << epsilon;
            }
          }
        }
      }
}

}  // namespace
}  // namespace doeblin
