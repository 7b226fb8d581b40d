// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/loss_composition.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/composition/composition.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/zcdp.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Row;

LossPairs exactly(const Profile& profile) { return LossPairs::exact(LossPair::symmetric_of(profile)); }
LossPairs gaussian(double sigma) { return exactly(profile_of(gdp(Gaussian{sigma}))); }
LossPairs sampled_gaussian(double sigma, double rate) { return poisson_sampled(gaussian(sigma), Bracket(rate)); }

std::vector<Direction> one_direction(const Row& row) {
  return {row["direction"] == 0.0 ? Direction::kForward : Direction::kBackward};
}

// delta from 1e-2 to 1e-100, one to a million releases, both directions.
TEST(LossComposition, SampledGaussiansMatchTheTable) {
  test::check_table("composed_poisson_gaussian_delta.csv",
                    [](const Row& row) {
                      const LossComposition composition({{sampled_gaussian(row["sigma"], row["rate"]), row["count"]}},
                                                        kCompositionGoal, one_direction(row));
                      return composition.delta(Epsilon(row["epsilon"]));
                    },
                    // No width is asked for where a backward loss is near its largest, nor for jumps so rare (rate
                    // 1e-4, delta 1e-79) that the window of the transform does not fit.
                    {.relative_width = 1e-2, .floor = 1e-280, .is_sensitive = [](const Row& row) {
                       const double largest = -row["count"] * std::log1p(-row["rate"]);
                       return (row["direction"] == 1.0 && row["epsilon"] > 0.95 * largest) ||
                              (row["rate"] < 1e-3 && row["truth_up"] < 1e-70);
                     }});
}

// What later stages are told: upper ends alone, in each direction; between the levels of the grids, coarser than an answer.
// Nearly all of the largest loss: (1/2)^10 have it, and at 1e-6 no smaller one counts.
TEST(LossComposition, NextToTheLargestLossOfPureMechanisms) {
  const LossComposition composition({{exactly(profile_of(Laplace{0.5})), 10.0}});
  const Bracket epsilon = composition.epsilon(Delta(1e-6));
  const double largest = 20.0;
  // delta(eps) >= 2^-10 (1 - e^{eps - 20})
  EXPECT_GE(epsilon.upper(), largest + std::log1p(-1e-6 * 0x1p10));
  EXPECT_LE(epsilon.upper(), largest);
  EXPECT_LT(epsilon.upper() - epsilon.lower(), 1e-3);
}

TEST(PairOfComposition, LiesAboveTheTables) {
  const auto above = [](const Row& row, const Profile& direction) {
    const double upper = direction.delta(Epsilon(row["epsilon"])).upper();
    return Bracket(std::min(upper, row["truth_down"]), upper);
  };
  test::check_table(
      "composed_poisson_gaussian_delta.csv",
      [&](const Row& row) {
        const auto pair = pair_of_composition({{sampled_gaussian(row["sigma"], row["rate"]), row["count"]}});
        return above(row, row["direction"] == 0.0 ? pair->forward : pair->backward);
      },
      {.relative_width = 0.5, .floor = 1e-280, .is_sensitive = [](const Row& row) {
         const double largest = -row["count"] * std::log1p(-row["rate"]);
         return (row["direction"] == 1.0 && row["epsilon"] > 0.95 * largest) ||
                (row["rate"] < 1e-3 && row["truth_up"] < 1e-70);
       }});
  test::check_table(
      "composed_laplace_delta.csv",
      [&](const Row& row) {
        const auto pair = pair_of_composition({{exactly(profile_of(Laplace{row["scale"]})), row["count"]}});
        EXPECT_TRUE(pair->symmetric);
        return above(row, pair->forward);
      },
      {.relative_width = 0.5, .floor = 1e-200, .is_sensitive = [](const Row& row) { return row["count"] >= 1e12; }});
}

TEST(PairOfComposition, NeverRisesAndKeepsInfiniteLosses) {
  const auto pair = pair_of_composition({{exactly(profile_of(BlackBox{.epsilon = 0.1, .delta = 1e-3})), 20.0}});
  double last = 1.0;
  for (double epsilon = 0.0; epsilon < 4.0; epsilon += 0.01) {
    const double next = pair->forward.delta(Epsilon(epsilon)).upper();
    EXPECT_LE(next, last * (1.0 + 1e-3)) << epsilon;
    last = next;
  }
  EXPECT_GE(last, -std::expm1(20.0 * std::log1p(-1e-3)));
  EXPECT_GE(pair->forward.delta(Epsilon(rounding::kInfinity)).upper(), -std::expm1(20.0 * std::log1p(-1e-3)));
}

TEST(LossComposition, LaplaceMatchesTheTable) {
  test::check_table(
      "composed_laplace_delta.csv",
      [](const Row& row) {
        return LossComposition({{exactly(profile_of(Laplace{row["scale"]})), row["count"]}})
            .delta(Epsilon(row["epsilon"]));
      },
      // From 1e12 releases on rounding errors widen the bracket, at last to [0, 1].
      {.relative_width = 1e-2, .floor = 1e-200, .is_sensitive = [](const Row& row) { return row["count"] >= 1e12; }});
}

// Two Laplace mechanisms so far out that the search asks about an epsilon of 1e300.
TEST(LossComposition, PureMechanismsAtTheSmallestDeltas) {
  for (const double delta : {1e-290, 1e-300, 5e-324}) {
    const Bracket epsilon = LossComposition({{exactly(profile_of(Laplace{1.0})), 2.0}}).epsilon(Delta(delta));
    EXPECT_GE(epsilon.upper(), 2.0 - 1e-9) << delta;
    EXPECT_LE(epsilon.upper(), 2.0 + 1e-6) << delta;
    EXPECT_LE(epsilon.lower(), 2.0) << delta;
  }
}

// Lattice laws: between its atoms delta is a chord, and an epsilon within rounding of the last atom is anybody's guess.
TEST(LossComposition, RandomisedResponseMatchesTheTable) {
  test::check_table("composed_randomized_response_delta.csv",
                    [](const Row& row) {
                      return LossComposition({{exactly(profile_of(RandomizedResponse{row["p"]})), row["count"]}})
                          .delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-2, .floor = 1e-200});
}

TEST(LossComposition, FiftyDifferentMechanismsMatchTheTable) {
  std::vector<LossPart> parts;
  for (int i = 0; i < 50; ++i) parts.push_back({sampled_gaussian(1.0 + i / 10.0, 0.01 + i / 1000.0), 1.0});
  test::check_table(
      "composed_sum_delta.csv",
      [&](const Row& row) {
        return LossComposition(parts, kCompositionGoal, one_direction(row)).delta(Epsilon(row["epsilon"]));
      },
      {.relative_width = 1e-2, .floor = 1e-200});
}

// Gaussians forced through the transform, against their closed form.
RC_GTEST_PROP(LossComposition, EnclosesComposedGaussians, ()) {
  std::vector<LossPart> parts;
  std::vector<Gdp> levels;
  const int kinds = *rc::gen::inRange(1, 4);
  for (int i = 0; i < kinds; ++i) {
    const double sigma = test::log_uniform(0.5, 100.0);
    const double count = std::floor(test::log_uniform(1.0, 1e5 / (sigma < 5.0 ? 1e3 : 1.0)));
    parts.push_back({gaussian(sigma), count});
    levels.push_back(compose(gdp(Gaussian{sigma}), count));
  }
  const Profile truth = profile_of(compose(levels));
  const LossComposition composition(parts);
  const Delta level(std::exp(test::uniform(-600.0, -1.0)));
  const Bracket exact = truth.epsilon(level);
  const Bracket got = composition.epsilon(level);
  RC_ASSERT(got.lower() <= exact.upper());
  RC_ASSERT(got.upper() >= exact.lower());
  RC_ASSERT(got.width() <= kCompositionGoal.width_at(got.upper()) * 1.5);
  const Epsilon at(exact.middle());
  const Bracket delta = composition.delta(at);
  RC_ASSERT(delta.lower() <= truth.delta(at).upper());
  RC_ASSERT(delta.upper() >= truth.delta(at).lower());
  RC_ASSERT(delta.relative_width() <= 0.015);
}

// Delta 1e-100 is as good as 1e-5 (closed form as the truth).
TEST(LossComposition, TheTailIsAsGoodAsTheMiddle) {
  const LossComposition composition({{gaussian(100.0), 10000.0}});
  const Profile truth = profile_of(Gdp::level(1.0));
  for (const double level : {1e-5, 1e-12, 1e-30, 1e-100, 1e-250}) {
    const double epsilon = truth.epsilon(Delta(level)).middle();
    const Bracket got = composition.delta(Epsilon(epsilon));
    const Bracket exact = truth.delta(Epsilon(epsilon));
    EXPECT_LE(got.lower(), exact.upper());
    EXPECT_GE(got.upper(), exact.lower());
    EXPECT_LE(got.relative_width(), 1e-2) << level;
  }
}

// Deltas near the smallest doubles, through sums that have no closed form. Adding a release never helps, so the sum is
// at least as bad as its Gaussian part, and at most as bad as that after a shift by the Laplace part's largest loss.
TEST(LossComposition, SumsNearTheSmallestDoubles) {
  const LossComposition composition({{gaussian(1.0), 1.0}, {exactly(profile_of(Laplace{10.0})), 1.0}});
  for (const double level : {1e-200, 1e-265, 1e-280}) {
    const Bracket alone = profile_of(Gdp::level(1.0)).epsilon(Delta(level));
    const Bracket got = composition.epsilon(Delta(level));
    EXPECT_GE(got.upper(), alone.lower());
    EXPECT_LE(got.lower(), alone.upper() + 0.1);
    EXPECT_LE(got.width(), 2e-3) << level;
  }
}

// Two randomised responses, whose total loss has very few values (window of a nearly deterministic law).
TEST(LossComposition, NearlyDeterministicLosses) {
  const LossComposition composition(
      {{exactly(profile_of(RandomizedResponse{0.868})), 1.0}, {exactly(profile_of(RandomizedResponse{0.862})), 1.0}});
  // delta = p1 p2 - e^eps (1-p1)(1-p2) beyond the middle outcomes.
  const Bracket epsilon = composition.epsilon(Delta(0.03));
  const double truth = std::log((0.868 * 0.862 - 0.03) / ((1 - 0.868) * (1 - 0.862)));
  EXPECT_LE(epsilon.lower(), truth + 1e-12);
  EXPECT_GE(epsilon.upper(), truth - 1e-12);
}

// k randomised responses with different p, by enumeration of all outcomes.
RC_GTEST_PROP(LossComposition, EnclosesEnumeratedSums, ()) {
  const int kinds = *rc::gen::inRange(1, 8);
  std::vector<LossPart> parts;
  std::vector<double> p;
  for (int i = 0; i < kinds; ++i) {
    p.push_back(test::uniform(0.5, 0.95));
    parts.push_back({exactly(profile_of(RandomizedResponse{p.back()})), 1.0});
  }
  const double epsilon = test::uniform(0.0, 4.0);
  long double truth = 0.0L;
  for (int outcome = 0; outcome < (1 << kinds); ++outcome) {
    long double first = 1.0L, second = 1.0L;
    for (int i = 0; i < kinds; ++i) {
      const long double yes = p[static_cast<std::size_t>(i)];
      first *= outcome >> i & 1 ? yes : 1.0L - yes;
      second *= outcome >> i & 1 ? 1.0L - yes : yes;
    }
    truth += std::max(0.0L, first - std::exp(static_cast<long double>(epsilon)) * second);
  }
  const Bracket got = LossComposition(parts).delta(Epsilon(epsilon));
  RC_ASSERT(got.lower() <= truth * (1.0L + 1e-15L) + 1e-18L);
  RC_ASSERT(got.upper() >= truth * (1.0L - 1e-15L) - 1e-18L);
}

RC_GTEST_PROP(LossComposition, MoreReleasesAreLessPrivate, ()) {
  const LossPairs part = sampled_gaussian(test::log_uniform(0.6, 5.0), test::log_uniform(1e-3, 0.5));
  const double count = std::floor(test::log_uniform(1.0, 300.0));
  const Delta level(test::log_uniform(1e-30, 1e-2));
  const Bracket fewer = LossComposition({{part, count}}).epsilon(level);
  const Bracket more = LossComposition({{part, count + 1.0}}).epsilon(level);
  RC_ASSERT(fewer.lower() <= more.upper());
  // Sampling never hurts.
  const Bracket all = LossComposition({{gaussian(0.6), count}}).epsilon(level);
  RC_ASSERT(fewer.lower() <= all.upper());
}

// The reference of the field: 2.37584 at 14,000 steps.
TEST(LossComposition, TheReferenceRun) {
  const LossComposition composition({{sampled_gaussian(1.1, 256.0 / 60000.0), 14000.0}});
  const Bracket epsilon = composition.epsilon(Delta(1e-5));
  EXPECT_LE(epsilon.lower(), 2.375845);
  EXPECT_GE(epsilon.upper(), 2.375835);
  EXPECT_LE(epsilon.width(), 1e-3);
  AccuracyGoal fine = kCompositionGoal;
  fine.epsilon_width = 1e-5;
  const Bracket finer = LossComposition({{sampled_gaussian(1.1, 256.0 / 60000.0), 14000.0}}, fine).epsilon(Delta(1e-5));
  EXPECT_LE(finer.width(), 2e-5);
  EXPECT_LE(finer.lower(), 2.375845);
  EXPECT_GE(finer.upper(), 2.375835);
}

TEST(LossComposition, ABillionReleases) {
  const LossComposition composition({{sampled_gaussian(1.1, 256.0 / 60000.0), 1e9}});
  const Bracket epsilon = composition.epsilon(Delta(1e-5));
  EXPECT_GT(epsilon.lower(), 12000.0);
  EXPECT_LE(epsilon.relative_width(), 1e-2);
}

// Where rounding errors are raised to more powers than doubles can hold, an upper end is 1 or infinite, never small.
// More releases are never more private, so what a million attain is a lower end for all that follow.
TEST(LossComposition, SoundFromATrillionReleasesOn) {
  for (const LossPairs& part :
       {exactly(profile_of(Laplace{3.0})), exactly(profile_of(RandomizedResponse{0.6})), sampled_gaussian(1.1, 0.01)}) {
    const double least_delta = LossComposition({{part, 1e6}}).delta(Epsilon(1.0)).lower();
    const double least_epsilon = LossComposition({{part, 1e6}}).epsilon(Delta(1e-6)).lower();
    ASSERT_GT(least_delta, 0.9);
    for (const double count : {1e13, 1e15, 0x1p53}) {
      const LossComposition composition({{part, count}});
      EXPECT_GE(composition.delta(Epsilon(1.0)).upper(), least_delta) << count;
      EXPECT_GE(composition.epsilon(Delta(1e-6)).upper(), least_epsilon) << count;
    }
  }
}

// Gaussians forced through the transform, one part or two, against their closed form.
TEST(LossComposition, EnclosesGaussiansFromATrillionReleasesOn) {
  for (const double count : {1e12, 1e14, 0x1p53})
    for (const double level : {0.5, 1e3}) {
      const Gdp one = Gdp::level(level / std::sqrt(count));
      const Profile truth = profile_of(compose({compose(one, count), Gdp::level(0.5)}));
      const LossComposition composition(
          {{exactly(profile_of(one)), count}, {exactly(profile_of(Gdp::level(0.5))), 1.0}});
      for (const double delta : {1e-2, 1e-100}) {
        const Bracket epsilon = truth.epsilon(Delta(delta));
        const Bracket got = composition.epsilon(Delta(delta));
        EXPECT_LE(got.lower(), epsilon.upper()) << count << " " << level;
        EXPECT_GE(got.upper(), epsilon.lower()) << count << " " << level;
        const Epsilon at(epsilon.upper());
        EXPECT_LE(composition.delta(at).lower(), truth.delta(at).upper()) << count << " " << level;
        EXPECT_GE(composition.delta(at).upper(), truth.delta(at).lower()) << count << " " << level;
      }
    }
}

// Without replacement: sound above the pair that is attained, below the rule composed.
TEST(LossComposition, WithoutReplacementEnclosesItsAttainedPair) {
  const Bracket rate(0.05);
  const LossPairs pairs = sampled_without_replacement(gaussian(1.5), rate);
  const LossPairs poisson = poisson_sampled(gaussian(1.5), rate);
  for (const double count : {2.0, 50.0, 1000.0}) {
    const Bracket got = LossComposition({{pairs, count}}).epsilon(Delta(1e-6));
    const Bracket attained = LossComposition({{poisson, count}}).epsilon(Delta(1e-6));
    EXPECT_LE(got.lower(), attained.upper());
    EXPECT_GE(got.upper(), attained.lower());
    EXPECT_GE(got.lower(), attained.lower() - 2e-3);
    // Never worse than no sampling at all.
    EXPECT_LE(got.lower(), profile_of(Gdp{compose(gdp(Gaussian{1.5}), count)}).epsilon(Delta(1e-6)).upper());
  }
}

TEST(LossComposition, PartsThatNobodyAttainsHaveNoLowerEnd) {
  const LossPairs only_dominated{.dominating = gaussian(1.0).dominating};
  const Bracket got = LossComposition({{only_dominated, 10.0}}).delta(Epsilon(1.0));
  EXPECT_EQ(got.lower(), 0.0);
  EXPECT_GE(got.upper(), delta(compose(gdp(Gaussian{1.0}), 10.0), Epsilon(1.0)).lower());
  EXPECT_FALSE(profile_of_composition({{only_dominated, 10.0}}).traits().tight);
}

TEST(LossComposition, ItsProfileSaysTheSame) {
  const std::vector<LossPart> parts = {{gaussian(2.0), 10.0}};
  const LossComposition composition(parts);
  const Profile profile = profile_of_composition(parts);
  EXPECT_EQ(profile.delta(Epsilon(1.0)), composition.delta(Epsilon(1.0)));
  EXPECT_EQ(profile.epsilon(Delta(1e-6)), composition.epsilon(Delta(1e-6)));
}

TEST(LossComposition, InfiniteLosses) {
  const LossPairs box = exactly(profile_of(BlackBox{0.5, 1e-3}));
  const LossComposition composition({{box, 100.0}});
  const double rest = -std::expm1(100.0 * std::log1p(-1e-3));
  const Bracket limit = composition.delta(Epsilon(rounding::kInfinity));
  EXPECT_NEAR(limit.upper(), rest, 1e-12);
  EXPECT_LE(limit.lower(), rest);
  EXPECT_EQ(composition.epsilon(Delta(1e-3)), Bracket(rounding::kInfinity));
  const Bracket epsilon = composition.epsilon(Delta(0.2));
  EXPECT_GT(epsilon.lower(), 1.0);
  EXPECT_LE(epsilon.width(), 2e-3);
}

TEST(LossComposition, Edges) {
  // Nothing is lost by a mechanism that says nothing.
  const LossComposition nothing({{exactly(profile_of(RandomizedResponse{0.5})), 10.0}});
  EXPECT_LE(nothing.delta(Epsilon(0.0)).upper(), 1e-9);
  const LossComposition composition({{gaussian(1.0), 4.0}});
  // delta = 1 asks for nothing; epsilon = 0 is the total variation distance.
  EXPECT_EQ(composition.epsilon(Delta(1.0)).lower(), 0.0);
  const Bracket distance = composition.delta(Epsilon(0.0));
  EXPECT_LE(distance.lower(), delta(Gdp::level(2.0), Epsilon(0.0)).upper());
  EXPECT_GE(distance.upper(), delta(Gdp::level(2.0), Epsilon(0.0)).lower());
  EXPECT_LE(distance.relative_width(), 1e-2);
  // Far beyond what matters.
  EXPECT_LE(composition.delta(Epsilon(1e4)).upper(), 1e-290);
  EXPECT_THROW(LossComposition({}), InternalError);
}

TEST(LossComposition, SlowProfilesAreNotSampled) {
  EXPECT_TRUE(LossComposition::is_feasible({{gaussian(1.0), 2.0}}));
  EXPECT_FALSE(LossComposition::is_feasible({{exactly(profile_of(Zcdp::level(0.1))), 2.0}}));
}

}  // namespace
}  // namespace doeblin
