// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/normal_mixture.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/gaussian.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "support/generators.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Row;

TEST(NormalMixture, WithReplacementMatchesTheTable) {
  test::check_table(
      "with_replacement_gaussian_delta.csv",
      [](const Row& row) {
        const LossPair pair = with_replacement_pair(gdp(Gaussian{row["sigma"]}).mu, row["n"], row["m"]);
        return (row["direction"] == 0.0 ? pair.forward : pair.backward).delta(Epsilon(row["epsilon"]));
      },
      // Near the largest loss of the backward direction, -log Pr[not drawn], delta is that of a small difference.
      {.relative_width = 1e-8, .floor = 1e-280, .is_sensitive = [](const Row& row) {
         return row["direction"] == 1.0 && row["epsilon"] > -0.98 * row["m"] * std::log1p(-1.0 / row["n"]);
       }});
}

TEST(NormalMixture, PoissonSubstitutionMatchesTheTable) {
  test::check_table("poisson_substitute_gaussian_delta.csv",
                    [](const Row& row) {
                      const LossPair pair = poisson_substitution_pair(gdp(Gaussian{row["sigma"]}).mu, row["rate"]);
                      return pair.forward.delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-8, .floor = 1e-280});
}

// One draw is Poisson sampling at rate 1/n as far as the pair is concerned: a second route to the same number.
RC_GTEST_PROP(NormalMixture, OneDrawIsPoissonSampling, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.3, 10.0)});
  const double n = std::floor(test::log_uniform(2.0, 1e6));
  const LossPair mixture = with_replacement_pair(base.mu, n, 1.0);
  const LossPair poisson = poisson_sampled(LossPair::symmetric_of(profile_of(base)), 1.0 / Bracket(n));
  const Epsilon at(test::log_uniform(1e-6, 5.0));
  for (const auto& [x, y] : {std::pair{mixture.forward.delta(at), poisson.forward.delta(at)},
                             std::pair{mixture.backward.delta(at), poisson.backward.delta(at)}}) {
    RC_ASSERT(x.lower() <= y.upper());
    RC_ASSERT(y.lower() <= x.upper());
  }
}

RC_GTEST_PROP(NormalMixture, IsAProfile, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.5, 10.0)});
  const LossPair pair = *rc::gen::arbitrary<bool>()
                            ? with_replacement_pair(base.mu, std::floor(test::log_uniform(2.0, 100.0)), 5.0)
                            : poisson_substitution_pair(base.mu, test::uniform(0.01, 1.0));
  test::check_profile(pair.forward, 3.0);
  test::check_profile(pair.backward, 3.0);
}

// The exchange of one person is a removal and an addition: worse than one of them.
RC_GTEST_PROP(NormalMixture, SubstitutionIsWorseThanRemoval, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.5, 10.0)});
  const double q = test::log_uniform(1e-4, 1.0);
  const Epsilon at(test::uniform(0.0, 2.0));
  const LossPair removal = poisson_sampled(LossPair::symmetric_of(profile_of(base)), Bracket(q));
  RC_ASSERT(removal.forward.delta(at).lower() <= poisson_substitution_pair(base.mu, q).forward.delta(at).upper());
}

// Catalogue S8: substitution with replacement has no single worst pair. The rest of the data at one end gives less than
// the rest in between, and the rule S3 is above both.
TEST(NormalMixture, WithReplacementUnderSubstitutionHasNoWorstPair) {
  const numerics::Wide unit(1.5);
  const Epsilon at(std::log(1.01));
  const double one_end = with_replacement_pair(unit, 5.0, 3.0).forward.delta(at).upper();
  EXPECT_NEAR(one_end, 0.2893, 1e-4);
  // Everybody else halfway: k copies at +k/2 against k copies at -k/2.
  const BinomialWeights binomial = binomial_weights(5.0, 3.0, 1e-300);
  std::vector<NormalComponent> half;
  for (std::size_t k = 0; k < binomial.weights.size(); ++k)
    half.push_back({binomial.weights[k], static_cast<double>(k) / 2.0});
  const double in_between = divergence(half, half, unit, at).lower();
  EXPECT_GT(in_between, one_end);
  const auto groups = [&](double k) { return profile_of(Gdp{unit * k}); };
  EXPECT_GE(sampled_with_replacement(groups, 5.0, 3.0).delta(at).upper(), in_between);
}

TEST(NormalMixture, Edges) {
  const numerics::Wide unit(1.0);
  EXPECT_EQ(with_replacement_pair(unit, 1.0, 1.0).forward.delta(Epsilon(rounding::kInfinity)), Bracket(0.0));
  // n = 1: everybody is that one person, m times.
  const Bracket alone = with_replacement_pair(unit, 1.0, 3.0).forward.delta(Epsilon(1.0));
  const Bracket group = delta(Gdp::level(3.0), Epsilon(1.0));
  EXPECT_LE(alone.lower(), group.upper());
  EXPECT_GE(alone.upper(), group.lower());
  EXPECT_EQ(poisson_substitution_pair(numerics::Wide(0.0), 0.5).forward.delta(Epsilon(0.0)), Bracket(0.0));
  // Rate 1: N(mu) against N(-mu).
  const Bracket all = poisson_substitution_pair(unit, 1.0).forward.delta(Epsilon(0.7));
  const Bracket twice = delta(Gdp::level(2.0), Epsilon(0.7));
  EXPECT_LE(all.lower(), twice.upper());
  EXPECT_GE(all.upper(), twice.lower());
}

}  // namespace
}  // namespace doeblin
