// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/hidden_sampling.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/numerics/theta.hpp"
#include "doeblin/numerics/theta_inverse.hpp"
#include "support/chain.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Chain;

TEST(HiddenSampling, ComposedPairsMatchTheTable) {
  for (const test::Row& row : test::read_table("iteration_sampled_delta.csv")) {
    const LossPair pair = shifted_poisson_pair(row["move"], row["jump"], row["rate"]);
    const LossComposition composition({{LossPairs::exact(pair), row["steps"]}});
    const Bracket delta = composition.delta(Epsilon(row["epsilon"]));
    EXPECT_LE(delta.lower(), row["truth_down"]) << row.text << delta;
    EXPECT_GE(delta.upper(), row["truth_up"]) << row.text << delta;
    EXPECT_LE(delta.relative_width(), 0.02) << row.text << delta;
  }
}

TEST(HiddenSampling, TheExampleOfTheCatalogue) {
  // D = 1, s = 0.3, Delta/s = 1, p = 0.1, T = 400, epsilon = 4.
  const SampledRun run{.jump = Bracket(1.0), .diameter = 1.0 / 0.3, .rate = 0.1, .steps = 400.0};
  const double hidden = hidden_sampling_profile(run).delta(Epsilon(4.0)).upper();
  EXPECT_GT(hidden, 3.719e-3);
  EXPECT_LT(hidden, 3.77e-3);
  SampledRun seen = run;
  seen.is_public = true;
  const double ordinary = hidden_sampling_profile(seen).delta(Epsilon(4.0)).upper();
  EXPECT_GT(ordinary, 0.2203);
  EXPECT_LT(ordinary, 0.2225);
}

// The record is in each batch with probability q; everybody else is one Lipschitz map.
TEST(HiddenSampling, NeverBelowTheExactChain) {
  const Chain chain(0.0, 1.0);
  int checks = 0;
  for (const double c : {0.7, 1.0})
    for (const double noise : {0.15, 0.5})
      for (const double rate : {0.1, 0.6, 1.0})
        for (const double sign : {1.0, -1.0}) {
          const double jump = 0.3;
          const auto map = [c](double x) { return 0.5 + c * (x - 0.5); };
          const Chain::Kernel without = chain.kernel(map, noise);
          const Chain::Kernel with = chain.kernel([&](double x) { return map(x) + sign * jump; }, noise);
          Chain::Law p = chain.point(0.5), q = p;
          for (int t = 1; t <= 24; ++t) {
            const Chain::Law used = with(p), unused = without(p);
            for (std::size_t i = 0; i < p.size(); ++i) p[i] = (1.0 - rate) * unused[i] + rate * used[i];
            q = without(q);
            if (t % 8 != 0) continue;
            const SampledRun run{.jump = Bracket(jump / noise),
                                 .lipschitz = Bracket(c),
                                 .diameter = 1.0 / noise,
                                 .rate = rate,
                                 .steps = static_cast<double>(t)};
            const Profile profile = hidden_sampling_profile(run);
            for (const double epsilon : {0.0, 0.5, 1.5}) {
              const double exact = std::max(Chain::divergence(p, q, epsilon), Chain::divergence(q, p, epsilon));
              EXPECT_GE(profile.delta(Epsilon(epsilon)).upper(), exact * 0.99 - 1e-13);
              ++checks;
            }
          }
        }
  EXPECT_GT(checks, 100);
}

TEST(HiddenSampling, MovesTakeTheDistanceToZero) {
  const SampledRun run{.jump = Bracket(0.2), .lipschitz = Bracket(0.9), .diameter = 3.0, .rate = 0.1, .steps = 50.0};
  for (const double tail : {1.0, 7.0, 30.0, 49.0}) {
    double distance = 0.0;
    for (int t = 0; t < 50 - static_cast<int>(tail); ++t) distance = std::min(3.0, 0.9 * distance + 0.2);
    const double move = sampled_move(run, tail);
    for (int t = 0; t < static_cast<int>(tail); ++t) distance = 0.9 * distance - move;
    EXPECT_NEAR(distance, 0.0, 1e-12);
  }
  EXPECT_EQ(sampled_move(run, 50.0), 0.0);
}

TEST(HiddenSampling, FailuresAreChargedWhereHidingCounts) {
  SampledRun run{.jump = Bracket(1.0), .diameter = 2.0, .rate = 0.1, .steps = 400.0};
  const double without = hidden_sampling_profile(run).delta(Epsilon(4.0)).upper();
  SampledRun whole = run;
  whole.is_public = true;
  const Bracket ordinary = hidden_sampling_profile(whole).delta(Epsilon(4.0));
  EXPECT_LT(without + 1e-3, ordinary.lower());
  run.failure = 1e-3;
  EXPECT_NEAR(hidden_sampling_profile(run).delta(Epsilon(4.0)).upper(), without + 1e-3, 1e-6);
  // Ordinary composition stays, whatever the maps do.
  run.failure = 1.0;
  EXPECT_NEAR(hidden_sampling_profile(run).delta(Epsilon(4.0)).upper(), ordinary.upper(), 1e-9);
  EXPECT_LE(ordinary.relative_width(), 0.011);
}

TEST(HiddenSampling, RefusesNonsense) {
  EXPECT_THROW(static_cast<void>(hidden_sampling_profile({.jump = Bracket(1.0), .rate = 0.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(hidden_sampling_profile({.jump = Bracket(1.0), .rate = 0.5, .steps = 0.5})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(hidden_sampling_profile({.jump = Bracket(1.0), .diameter = 0.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(shifted_poisson_pair(-1.0, 1.0, 0.5)), InvalidArgument);
}

// One step that always takes the record is a Gaussian mechanism; several are a composition of them.
TEST(HiddenSampling, RoundingIsPartOfEveryStep) {
  for (const double r : {0.0, 1e-6, 0.1})
    for (const double steps : {1.0, 4.0}) {
      SampledRun run{.jump = Bracket(0.5), .steps = steps, .rounding = r};
      const double truth = numerics::theta(1.0, numerics::Wide((0.5 + r) * std::sqrt(steps))).upper();
      for (const bool is_public : {true, false}) {
        run.is_public = is_public;
        const double upper = hidden_sampling_profile(run).delta(Epsilon(1.0)).upper();
        EXPECT_GE(upper, truth * (1.0 - 1e-12)) << r << " " << steps;
        EXPECT_LE(upper, truth * 1.02) << r << " " << steps;
      }
    }
  SampledRun run{.jump = Bracket(0.5), .lipschitz = Bracket(0.9), .diameter = 3.0, .rate = 0.1, .steps = 100.0};
  const double move = sampled_move(run, 10.0);
  run.rounding = 0.01;
  // z = min(3, ...) is the diameter both times.
  EXPECT_NEAR(sampled_move(run, 10.0), move + 0.01, 1e-12);
  EXPECT_GE(sampled_move(run, 10.0), move + 0.01);
}

// Where a step loses more than anybody would accept, Gaussian mechanisms bound it: quickly, and never from below.
TEST(HiddenSampling, HopelessStepsAreBoundedByGaussianMechanisms) {
  for (const bool is_public : {true, false}) {
    SampledRun run{.jump = Bracket(12.5), .lipschitz = Bracket(0.5), .diameter = 40.0, .rate = 0.3, .steps = 3.0};
    run.is_public = is_public;
    const Bracket beyond = hidden_sampling_profile(run).epsilon(Delta(1e-5));
    run.jump = Bracket(11.9);
    const Bracket within = hidden_sampling_profile(run).epsilon(Delta(1e-5));
    EXPECT_GT(beyond.upper(), within.upper());
    EXPECT_TRUE(std::isfinite(beyond.upper()));
    // One step that always takes the record: exactly that mechanism.
    const SampledRun once{.jump = Bracket(20.0), .rate = 1.0, .steps = 1.0, .is_public = is_public};
    const double truth = numerics::theta_inverse(1e-5, numerics::Wide(20.0)).upper();
    EXPECT_NEAR(hidden_sampling_profile(once).epsilon(Delta(1e-5)).upper(), truth, 1e-9 * truth);
  }
  // Seen states: the steps before the last count too.
  const SampledRun shown{
      .jump = Bracket(20.0), .lipschitz = Bracket(0.0), .rate = 1.0, .steps = 4.0, .is_public = true};
  EXPECT_GE(hidden_sampling_profile(shown).delta(Epsilon(700.0)).upper(),
            numerics::theta(700.0, numerics::Wide(40.0)).lower());
}

// Everybody in every batch: the composition of Gaussian mechanisms, both ends of it where the states are seen.
TEST(HiddenSampling, ACertainDrawIsTheGaussianMechanism) {
  for (const double jump : {0.01, 1.0, 10.0})
    for (const double steps : {1.0, 4.0, 100.0}) {
      SampledRun run{.jump = Bracket(jump), .rate = 1.0, .steps = steps, .is_public = true};
      const numerics::Wide level = numerics::Wide(jump) * sqrt(numerics::Wide(steps));
      for (const double epsilon : {0.0, 0.3, 5.0, 60.0, 300.0}) {
        const Bracket truth = numerics::theta(epsilon, level);
        const Bracket seen = hidden_sampling_profile(run).delta(Epsilon(epsilon));
        EXPECT_LE(seen.lower(), truth.lower());
        EXPECT_GE(seen.upper(), truth.upper());
        EXPECT_LE(seen.upper() - seen.lower(), 1e-9 * truth.upper() + 1e-300) << jump << " " << steps << " " << epsilon;
      }
      // A nearby rate goes through the transforms: a second route to the same number.
      SampledRun almost = run;
      almost.rate = 1.0 - 1e-9;
      const double delta = hidden_sampling_profile(run).delta(Epsilon(1.0)).upper();
      EXPECT_NEAR(hidden_sampling_profile(almost).delta(Epsilon(1.0)).upper(), delta, 0.02 * delta + 1e-12);
      // Hidden states: a tail of one step may be better, and nothing is claimed from below.
      run.is_public = false;
      run.lipschitz = Bracket(0.5);
      const Bracket hidden = hidden_sampling_profile(run).delta(Epsilon(0.3));
      EXPECT_EQ(hidden.lower(), 0.0);
      EXPECT_LE(hidden.upper(), numerics::theta(0.3, level).upper() * (1.0 + 1e-9));
    }
}

// Far out a level that is rounded up shows: (eps/mu)^2 times as much. The lower end goes by the smaller jump.
TEST(HiddenSampling, ACertainDrawIsNotAboveTheSmallerJump) {
  for (const double steps : {1.0, 5.0, 30.0}) {
    const SampledRun run{.jump = Bracket(1.0, 1.0 + 8e-15), .rate = 1.0, .steps = steps, .is_public = true};
    for (const double ratio : {1.0, 10.0, 30.0, 36.0}) {
      const double epsilon = ratio * std::sqrt(steps);
      const Bracket truth = numerics::theta(epsilon, sqrt(numerics::Wide(steps)));
      const Bracket seen = hidden_sampling_profile(run).delta(Epsilon(epsilon));
      EXPECT_LE(seen.lower(), truth.upper()) << steps << " " << ratio;
      EXPECT_GE(seen.upper(), truth.lower()) << steps << " " << ratio;
    }
  }
}

}  // namespace
}  // namespace doeblin
