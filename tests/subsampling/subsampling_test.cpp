// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/subsampling.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/group.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "support/generators.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Row;

LossPair gaussian_pair(double sigma) { return LossPair::symmetric_of(profile_of(gdp(Gaussian{sigma}))); }
LossPair laplace_pair(double scale) { return LossPair::symmetric_of(profile_of(Laplace{scale})); }

const Profile& direction_of(const LossPair& pair, const Row& row) {
  return row["direction"] == 0.0 ? pair.forward : pair.backward;
}

// Near its largest loss the backward direction depends on 1 - (1-q) e^eps, a small difference of large numbers.
bool is_near_the_largest_loss(const Row& row) {
  return row["direction"] == 1.0 && row["epsilon"] > -0.98 * std::log1p(-row["rate"]);
}

TEST(Subsampling, PoissonGaussianMatchesTheTable) {
  test::check_table("poisson_gaussian_delta.csv",
                    [](const Row& row) {
                      const LossPair pair = poisson_sampled(gaussian_pair(row["sigma"]), Bracket(row["rate"]));
                      return direction_of(pair, row).delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-9, .is_sensitive = is_near_the_largest_loss});
}

TEST(Subsampling, PoissonLaplaceMatchesTheTable) {
  test::check_table("poisson_laplace_delta.csv",
                    [](const Row& row) {
                      const LossPair pair = poisson_sampled(laplace_pair(row["scale"]), Bracket(row["rate"]));
                      return direction_of(pair, row).delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-6, .floor = 1e-12});
}

TEST(Subsampling, WithReplacementRuleMatchesTheTable) {
  test::check_table("with_replacement_rule_delta.csv",
                    [](const Row& row) {
                      const Gdp base = gdp(Gaussian{row["sigma"]});
                      const auto groups = [&](double k) { return profile_of(group(base, k)); };
                      return sampled_counts(groups, binomial_weights(1.0 / Bracket(row["n"]), row["m"], 1e-300))
                          .delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-9, .floor = 1e-280});
}

// Randomised membership: the mechanism tells, with probability p, whether the person is in the sample. Its sampled laws
// can be written down, and attain S1 to S3 (catalogue S6).
Bracket membership(double p, double q, double epsilon) {
  const double yes = q * p + (1.0 - q) * (1.0 - p);
  return delta(FiniteMechanism({{yes, 1.0 - yes}, {1.0 - p, p}}), Epsilon(epsilon));
}

RC_GTEST_PROP(Subsampling, RandomisedMembershipAttainsTheRule, ()) {
  const double p = test::uniform(0.5, 0.99);
  const double q = test::uniform(0.01, 1.0);
  const double epsilon = test::uniform(0.0, 3.0);
  const Bracket rule = sampled(profile_of(RandomizedResponse{p}), Bracket(q)).delta(Epsilon(epsilon));
  const Bracket truth = membership(p, q, epsilon);
  // The forward direction is the rule exactly; both are enclosures of one number, up to the rounding of `yes`.
  RC_ASSERT(rule.upper() >= truth.lower() - 1e-15);
  RC_ASSERT(rule.lower() <= truth.upper() + 1e-15);
  RC_ASSERT(rule.width() <= 1e-13);
}

TEST(Subsampling, RandomisedMembershipAttainsTheRuleWithReplacement) {
  // Whoever is drawn once or more is a member: every group has the profile of one person.
  for (const double n : {2.0, 5.0, 40.0})
    for (const double m : {1.0, 3.0, 60.0}) {
      const RandomizedResponse base{0.8};
      const auto groups = [&](double) { return profile_of(base); };
      const double eta = -std::expm1(m * std::log1p(-1.0 / n));
      for (const double epsilon : {0.0, 0.1, 0.7}) {
        const Bracket rule =
            sampled_counts(groups, binomial_weights(1.0 / Bracket(n), m, 1e-300)).delta(Epsilon(epsilon));
        const Bracket truth = membership(base.p, eta, epsilon);
        EXPECT_GE(rule.upper(), truth.lower() - 1e-14);
        EXPECT_LE(rule.lower(), truth.upper() + 1e-14);
      }
    }
}

// By hand: a finite mechanism on samples, its Poisson-sampled laws by enumeration of the samples.
TEST(Subsampling, PoissonRuleHoldsForAnEnumeratedMechanism) {
  const std::vector<std::vector<double>> laws = {{0.5, 0.3, 0.2}, {0.2, 0.3, 0.5}, {0.1, 0.6, 0.3}, {0.25, 0.25, 0.5}};
  // laws[s] is the output on sample s, a set of two people as bits; neighbours differ in one bit.
  const FiniteMechanism base(laws, {{0, 1}, {0, 2}, {1, 3}, {2, 3}});
  for (const double q : {0.1, 0.5, 0.9}) {
    const auto law_of = [&](int people) {
      std::vector<double> law(3, 0.0);
      for (int sample = 0; sample < 4; ++sample) {
        if ((sample & people) != sample) continue;
        double weight = 1.0;
        for (int bit = 1; bit <= 2; bit *= 2)
          if (people & bit) weight *= sample & bit ? q : 1.0 - q;
        for (std::size_t y = 0; y < 3; ++y) law[y] += weight * laws[static_cast<std::size_t>(sample)][y];
      }
      return law;
    };
    const FiniteMechanism sampled_mechanism({law_of(0), law_of(1), law_of(2), law_of(3)}, base.adjacent());
    for (const double epsilon : {0.0, 0.05, 0.2, 0.5, 1.0})
      EXPECT_LE(delta(sampled_mechanism, Epsilon(epsilon)).lower(),
                sampled(profile_of(base), Bracket(q)).delta(Epsilon(epsilon)).upper());
  }
}

RC_GTEST_PROP(Subsampling, SamplingIsAProfileAndNeverHurts, ()) {
  const LossPair base = *rc::gen::arbitrary<bool>() ? gaussian_pair(test::log_uniform(0.2, 20.0))
                                                    : laplace_pair(test::log_uniform(0.1, 20.0));
  const double q = test::log_uniform(1e-9, 1.0);
  const LossPair pair = poisson_sampled(base, Bracket(q));
  test::check_profile(pair.forward, 3.0);
  test::check_profile(pair.backward, 3.0);
  const Epsilon at(test::uniform(0.0, 2.0));
  RC_ASSERT(pair.forward.delta(at).lower() <= base.forward.delta(at).upper());
  // More sampling is less private, and "remove" is the worse direction of a symmetric pair.
  RC_ASSERT(pair.forward.delta(at).lower() <= sampled(base.forward, Bracket(std::min(1.0, 1.3 * q))).delta(at).upper());
  RC_ASSERT(pair.backward.delta(at).lower() <= pair.forward.delta(at).upper());
}

// Sampling twice is sampling at the product of the rates.
RC_GTEST_PROP(Subsampling, RatesMultiply, ()) {
  const LossPair base = gaussian_pair(test::log_uniform(0.3, 5.0));
  const double a = std::ldexp(static_cast<double>(*rc::gen::inRange(1, 16)), -4);
  const double b = std::ldexp(static_cast<double>(*rc::gen::inRange(1, 16)), -4);
  const LossPair twice = poisson_sampled(poisson_sampled(base, Bracket(a)), Bracket(b));
  const LossPair once = poisson_sampled(base, Bracket(a * b));
  const Epsilon at(test::uniform(0.0, 2.0));
  for (const auto& [x, y] : {std::pair{twice.forward.delta(at), once.forward.delta(at)},
                             std::pair{twice.backward.delta(at), once.backward.delta(at)}}) {
    RC_ASSERT(x.lower() <= y.upper() * (1.0 + 1e-12) + 1e-300);
    RC_ASSERT(y.lower() <= x.upper() * (1.0 + 1e-12) + 1e-300);
  }
}

TEST(Subsampling, EdgesOfTheRate) {
  const LossPair base = gaussian_pair(1.0);
  EXPECT_EQ(sampled(base.forward, Bracket(1.0)).delta(Epsilon(0.5)), base.forward.delta(Epsilon(0.5)));
  EXPECT_EQ(poisson_sampled(base, Bracket(1.0)).backward.delta(Epsilon(0.5)), base.forward.delta(Epsilon(0.5)));
  const Profile rare = sampled(base.forward, Bracket(5e-324));
  EXPECT_GE(rare.delta(Epsilon(0.0)).upper(), 0.0);
  EXPECT_LE(rare.delta(Epsilon(0.0)).upper(), 1e-323);
  EXPECT_EQ(sampled(base.forward, Bracket(0.5)).delta(Epsilon(rounding::kInfinity)), Bracket(0.0));
  // The limit of a black box stays, scaled by the rate.
  const Profile box = sampled(profile_of(BlackBox{1.0, 1e-3}), Bracket(0.25));
  EXPECT_NEAR(box.delta(Epsilon(50.0)).upper(), 2.5e-4, 1e-18);
}

TEST(Subsampling, AddingSomebodyCannotCostMoreThanTheirAbsence) {
  // e^eps (1-q) >= 1: the law without them is covered by the samples that miss them.
  const LossPair pair = poisson_sampled(gaussian_pair(0.5), Bracket(0.25));
  const double bound = -std::log1p(-0.25);
  EXPECT_NEAR(pair.backward.traits().loss_bound, bound, 1e-15);
  EXPECT_EQ(pair.backward.delta(Epsilon(bound * (1.0 + 1e-12))), Bracket(0.0));
  EXPECT_GT(pair.backward.delta(Epsilon(bound * 0.9)).lower(), 0.0);
}

TEST(Subsampling, CostlyProfilesAreInvertedThroughTheirOwnInverse) {
  const Profile cheap = profile_of(Laplace{1.0});
  ProfileTraits traits = cheap.traits();
  traits.costly = true;
  const Profile costly([=](Epsilon e) { return cheap.delta(e); }, [=](Delta d) { return cheap.epsilon(d); }, traits);
  for (const double level : {1e-3, 0.05, 0.5}) {
    const Bracket through = sampled(costly, Bracket(0.1)).epsilon(Delta(level));
    const Bracket direct = sampled(cheap, Bracket(0.1)).epsilon(Delta(level));
    EXPECT_LE(through.lower(), direct.upper());
    EXPECT_GE(through.upper(), direct.lower());
    EXPECT_LE(through.width(), 1e-12);
  }
}

TEST(Subsampling, WithReplacementRate) {
  const auto rate = [](double n, double m) { return binomial_weights(1.0 / Bracket(n), m, 1e-300).some; };
  EXPECT_EQ(rate(1.0, 5.0), Bracket(1.0));
  // 1 - (1 - 1/n)^m is near 1 - 1/e at m = n, not 1.
  EXPECT_NEAR(rate(1e9, 1e9).upper(), 1.0 - std::exp(-1.0), 1e-9);
  EXPECT_LE(rate(1e15, 1.0).lower(), 1e-15);
  EXPECT_GE(rate(1e15, 1.0).upper(), 1e-15);
}

RC_GTEST_PROP(Subsampling, BinomialWeightsAddUp, ()) {
  const double n = std::floor(test::log_uniform(1.0, 1e6));
  const double m = std::floor(test::log_uniform(1.0, 2000.0));
  const CountWeights binomial = binomial_weights(1.0 / Bracket(n), m, 1e-12);
  Bracket sum(0.0);
  for (const Bracket& weight : binomial.weights) sum = sum + weight;
  RC_ASSERT(sum.lower() <= 1.0);
  RC_ASSERT(sum.upper() + binomial.rest >= 1.0);
  RC_ASSERT(sum.width() <= 1e-9);
}

TEST(Subsampling, WithoutReplacementIsDominatedByTheRuleAndAttainsThePair) {
  const LossPairs base = LossPairs::exact(gaussian_pair(1.0));
  const LossPairs pairs = sampled_without_replacement(base, Bracket(0.1));
  EXPECT_FALSE(pairs.is_exact);
  EXPECT_TRUE(pairs.dominating->symmetric);
  ASSERT_TRUE(pairs.attained.has_value());
  for (const double epsilon : {0.0, 0.05, 0.3, 1.0}) {
    const Epsilon at(epsilon);
    EXPECT_EQ((*pairs.attained)->forward.delta(at), pairs.dominating->forward.delta(at));
    EXPECT_LE((*pairs.attained)->backward.delta(at).lower(), pairs.dominating->backward.delta(at).upper());
  }
  EXPECT_TRUE(sampled_without_replacement(base, Bracket(1.0)).is_exact);
}

}  // namespace
}  // namespace doeblin
