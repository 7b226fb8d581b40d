// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/noise_mixture.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/gaussian.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "support/generators.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Row;

TEST(NoiseMixtures, WithReplacementMatchesTheTable) {
  test::check_table(
      "with_replacement_gaussian_delta.csv",
      [](const Row& row) {
        const LossPair pair = with_replacement_pair(normal_noise(gdp(Gaussian{row["sigma"]}).mu), row["n"], row["m"]);
        return (row["direction"] == 0.0 ? pair.forward : pair.backward).delta(Epsilon(row["epsilon"]));
      },
      // Near the largest loss of the backward direction, -log Pr[not drawn], delta is that of a small difference.
      {.relative_width = 1e-8, .floor = 1e-280, .is_sensitive = [](const Row& row) {
         return row["direction"] == 1.0 && row["epsilon"] > -0.98 * row["m"] * std::log1p(-1.0 / row["n"]);
       }});
}

TEST(NoiseMixtures, PoissonSubstitutionMatchesTheTable) {
  test::check_table("poisson_substitute_gaussian_delta.csv",
                    [](const Row& row) {
                      const LossPair pair =
                          poisson_substitution_pair(normal_noise(gdp(Gaussian{row["sigma"]}).mu), Bracket(row["rate"]));
                      return pair.forward.delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-8, .floor = 1e-280});
}

SharedNoise noise_of(const Row& row) {
  const double scale = row["scale"];
  if (row["noise"] == 0.0) return normal_noise(gdp(Gaussian{scale}).mu);
  if (row["noise"] == 1.0) return laplace_noise(numerics::ratio(1.0, scale));
  if (row["noise"] == 2.0) return integer_noise(DiscreteLaplace{scale});
  return integer_noise(DiscreteGaussian{scale});
}

// Of all noises of N1: people with a coin each, on both sides.
TEST(NoiseMixtures, CoinsOnBothSidesMatchTheTable) {
  test::check_table("sampled_groups_delta.csv",
                    [](const Row& row) {
                      const Bracket rate(row["rate"]);
                      const LossPair pair = mixture_pair(noise_of(row), NoiseMixture::binomial(row["first"], rate),
                                                         NoiseMixture::binomial(row["second"], rate));
                      const Bracket forward = pair.forward.delta(Epsilon(row["epsilon"]));
                      // The other direction of the exchanged pair is the same number, by reflection.
                      const LossPair exchanged =
                          mixture_pair(noise_of(row), NoiseMixture::binomial(row["second"], rate),
                                       NoiseMixture::binomial(row["first"], rate));
                      EXPECT_EQ(exchanged.backward.delta(Epsilon(row["epsilon"])), forward);
                      return forward;
                    },
                    {.relative_width = 1e-8, .floor = 1e-280});
}

// What is asked many at a time is answered from a table of half-lines where noise is on the integers.
TEST(NoiseMixtures, TablesOfIntegersMatchTheTable) {
  std::size_t checked = 0;
  for (const Row& row : test::read_table("sampled_groups_delta.csv")) {
    if (row["noise"] < 2.0) continue;
    const Bracket rate(row["rate"]);
    const LossPair pair = mixture_pair(noise_of(row), NoiseMixture::binomial(row["first"], rate),
                                       NoiseMixture::binomial(row["second"], rate));
    const std::vector<double> at(100, row["epsilon"]);
    std::vector<double> lower(at.size()), upper(at.size());
    static_cast<void>(pair.forward.deltas(at, lower, upper));
    EXPECT_LE(lower[50], row["truth_up"]) << row.text;
    EXPECT_GE(upper[50], row["truth_down"]) << row.text;
    EXPECT_LE(upper[50] - lower[50], 1e-8 * upper[50] + 1e-280) << row.text;
    ++checked;
  }
  EXPECT_GT(checked, 50u);
}

TEST(NoiseMixtures, TablesOfIntegersSayWhatSearchesSay) {
  const NoiseMixture drawn = NoiseMixture::binomial(50.0, Bracket(1e-3));
  const NoiseMixture two = NoiseMixture::binomial(2.0, Bracket(1e-7)),
                     three = NoiseMixture::binomial(3.0, Bracket(0.2));
  for (const SharedNoise& noise :
       {integer_noise(DiscreteGaussian{2.0, 2.0}), integer_noise(DiscreteGaussian{0.3, 1.0}),
        integer_noise(DiscreteGaussian{40.0, 25.0}), integer_noise(DiscreteLaplace{1.5, 3.0})})
    for (const LossPair& pair : {mixture_pair(noise, drawn, NoiseMixture::still()), mixture_pair(noise, two, three),
                                 mixture_pair(noise, three, two)})
      for (const Profile& profile : {pair.forward, pair.backward}) {
        std::vector<double> at(200), lower(at.size()), upper(at.size());
        for (std::size_t i = 0; i < at.size(); ++i) at[i] = 1e-9 * std::pow(1.13, static_cast<double>(i));
        static_cast<void>(profile.deltas(at, lower, upper));
        for (std::size_t i = 0; i < at.size(); i += 3) {
          const Bracket alone = profile.delta(Epsilon(at[i]));
          EXPECT_LE(lower[i], alone.upper()) << at[i];
          EXPECT_GE(upper[i], alone.lower()) << at[i];
          EXPECT_LE(upper[i] - lower[i], 1e-8 * upper[i] + 1e-280) << at[i];
        }
      }
}

// The ratio comes as near to its largest value as one likes, and reaches it nowhere.
TEST(NoiseMixtures, CoinsAfterTwiceLaplaceMatchTheTable) {
  test::check_table("twice_laplace_groups_delta.csv",
                    [](const Row& row) {
                      const Bracket rate(row["rate"]);
                      return mixture_pair(twice_laplace_noise({row["scale1"], row["scale2"]}),
                                          NoiseMixture::binomial(row["first"], rate),
                                          NoiseMixture::binomial(row["second"], rate))
                          .forward.delta(Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-7, .floor = 1e-280});
}

// Next to the largest loss something is left, however little.
TEST(NoiseMixtures, NothingIsLostFarOut) {
  for (const double scale2 : {1.0, 0.999, 0.5}) {
    const LossPair pair = mixture_pair(twice_laplace_noise({1.0, scale2}), NoiseMixture::binomial(2.0, Bracket(0.25)),
                                       NoiseMixture::still());
    const double largest = std::log(0.5625 + 0.375 * std::exp(1.0) + 0.0625 * std::exp(2.0));
    for (const double below : {1e-15, 1e-12, 1e-9, 1e-6, 1e-3})
      EXPECT_GT(pair.forward.delta(Epsilon(largest * (1.0 - below))).upper(), 0.0) << scale2 << " " << below;
    EXPECT_EQ(pair.forward.delta(Epsilon(largest * (1.0 + 1e-12))), Bracket(0.0));
    EXPECT_GE(pair.forward.traits().loss_bound, largest * (1.0 - 1e-15));
    EXPECT_LE(pair.forward.traits().loss_bound, largest * (1.0 + 1e-12));
  }
}

// In the batch that grids are sampled with each search begins where the last one ended.
TEST(NoiseMixtures, ManyAtOnceAreAsNarrow) {
  const LossPair pair =
      mixture_pair(normal_noise(numerics::Wide(1.0)), NoiseMixture::binomial(3.0, Bracket(0.1)), NoiseMixture::still());
  std::vector<double> at(500), lower(500), upper(500);
  for (std::size_t i = 0; i < at.size(); ++i) at[i] = 0.02 * static_cast<double>(i);
  static_cast<void>(pair.forward.deltas(at, lower, upper));
  for (std::size_t i = 0; i < at.size(); i += 7) {
    const Bracket alone = pair.forward.delta(Epsilon(at[i]));
    EXPECT_LE(lower[i], alone.upper());
    EXPECT_GE(upper[i], alone.lower());
    EXPECT_LE(upper[i] - lower[i], 1e-8 * upper[i]);
  }
}

// N1 in three dimensions: components in any directions are dominated by those on the line, in both directions.
RC_GTEST_PROP(NoiseMixtures, DirectionsOnlyHelp, ()) {
  const double unit = test::log_uniform(0.3, 3.0);
  const double q = test::uniform(0.05, 0.95);
  const double gamma = std::exp(test::uniform(0.0, 2.0));
  // Two people on the first side, one on the second, each with a vector of at most unit length.
  const auto vector = [&] {
    std::array<double, 3> v{test::uniform(-1.0, 1.0), test::uniform(-1.0, 1.0), test::uniform(-1.0, 1.0)};
    const double length = std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (double& x : v) x *= unit / std::max(length, 1e-9);
    return v;
  };
  const std::array<std::array<double, 3>, 3> moves{vector(), vector(), vector()};
  const auto density = [](const std::array<double, 3>& x, const std::array<double, 3>& mean) {
    double square = 0.0;
    for (std::size_t i = 0; i < 3; ++i) square += (x[i] - mean[i]) * (x[i] - mean[i]);
    return std::exp(-0.5 * square) * std::pow(2.0 * M_PI, -1.5);
  };
  const auto sum_of = [&](bool first, bool second) {
    std::array<double, 3> sum{};
    for (std::size_t i = 0; i < 3; ++i) sum[i] = (first ? moves[0][i] : 0.0) + (second ? moves[1][i] : 0.0);
    return sum;
  };
  double divergence = 0.0, reversed = 0.0;
  const double step = 0.35, reach = 4.5 + 2.0 * unit;
  for (double x = -reach; x <= reach; x += step)
    for (double y = -reach; y <= reach; y += step)
      for (double z = -reach; z <= reach; z += step) {
        const std::array<double, 3> at{x, y, z};
        const double p = (1 - q) * (1 - q) * density(at, {}) + q * (1 - q) * density(at, sum_of(true, false)) +
                         q * (1 - q) * density(at, sum_of(false, true)) + q * q * density(at, sum_of(true, true));
        const double other = (1 - q) * density(at, {}) + q * density(at, moves[2]);
        divergence += std::max(0.0, p - gamma * other);
        reversed += std::max(0.0, other - gamma * p);
      }
  const double cell = step * step * step;
  const LossPair pair = mixture_pair(normal_noise(numerics::Wide(unit)), NoiseMixture::binomial(2.0, Bracket(q)),
                                     NoiseMixture::binomial(1.0, Bracket(q)));
  const Epsilon at(std::log(gamma));
  // The sum over cells is off by less than a thousandth.
  RC_ASSERT(divergence * cell <= pair.forward.delta(at).upper() + 2e-3);
  RC_ASSERT(reversed * cell <= pair.backward.delta(at).upper() + 2e-3);
}

// One draw is Poisson sampling at rate 1/n as far as the pair is concerned: a second route to the same number.
RC_GTEST_PROP(NoiseMixtures, OneDrawIsPoissonSampling, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.3, 10.0)});
  const double n = std::floor(test::log_uniform(2.0, 1e6));
  const LossPair mixture = with_replacement_pair(normal_noise(base.mu), n, 1.0);
  const LossPair poisson = poisson_sampled(LossPair::symmetric_of(profile_of(base)), 1.0 / Bracket(n));
  const Epsilon at(test::log_uniform(1e-6, 5.0));
  for (const auto& [x, y] : {std::pair{mixture.forward.delta(at), poisson.forward.delta(at)},
                             std::pair{mixture.backward.delta(at), poisson.backward.delta(at)}}) {
    RC_ASSERT(x.lower() <= y.upper());
    RC_ASSERT(y.lower() <= x.upper());
  }
}

RC_GTEST_PROP(NoiseMixtures, IsAProfile, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.5, 10.0)});
  const LossPair pair =
      *rc::gen::arbitrary<bool>()
          ? with_replacement_pair(normal_noise(base.mu), std::floor(test::log_uniform(2.0, 100.0)), 5.0)
          : poisson_substitution_pair(normal_noise(base.mu), Bracket(test::uniform(0.01, 1.0)));
  test::check_profile(pair.forward, 3.0);
  test::check_profile(pair.backward, 3.0);
}

// The exchange of one person is a removal and an addition: worse than one of them.
RC_GTEST_PROP(NoiseMixtures, SubstitutionIsWorseThanRemoval, ()) {
  const Gdp base = gdp(Gaussian{test::log_uniform(0.5, 10.0)});
  const double q = test::log_uniform(1e-4, 1.0);
  const Epsilon at(test::uniform(0.0, 2.0));
  const LossPair removal = poisson_sampled(LossPair::symmetric_of(profile_of(base)), Bracket(q));
  RC_ASSERT(removal.forward.delta(at).lower() <=
            poisson_substitution_pair(normal_noise(base.mu), Bracket(q)).forward.delta(at).upper());
}

// Catalogue S8: substitution with replacement has no single worst pair. The rest of the data at one end gives less than
// the rest in between, and the rule S3 is above both.
TEST(NoiseMixtures, WithReplacementUnderSubstitutionHasNoWorstPair) {
  const numerics::Wide unit(1.5);
  const Epsilon at(std::log(1.01));
  const double one_end = with_replacement_pair(normal_noise(unit), 5.0, 3.0).forward.delta(at).upper();
  EXPECT_NEAR(one_end, 0.2893, 1e-4);
  // Everybody else halfway: k copies at +k/2 against k copies at -k/2.
  const CountWeights draws = binomial_weights(1.0 / Bracket(5.0), 3.0, 1e-300);
  NoiseMixture half;
  for (std::size_t k = 0; k < draws.weights.size(); ++k)
    half.shifts.push_back({draws.weights[k], static_cast<double>(k) / 2.0});
  const double in_between = divergence(*normal_noise(unit), half, half, at).lower();
  EXPECT_GT(in_between, one_end);
  const auto groups = [&](double k) { return profile_of(Gdp{unit * k}); };
  EXPECT_GE(sampled_counts(groups, draws).delta(at).upper(), in_between);
}

TEST(NoiseMixtures, Edges) {
  const numerics::Wide unit(1.0);
  EXPECT_EQ(with_replacement_pair(normal_noise(unit), 1.0, 1.0).forward.delta(Epsilon(rounding::kInfinity)),
            Bracket(0.0));
  // n = 1: everybody is that one person, m times.
  const Bracket alone = with_replacement_pair(normal_noise(unit), 1.0, 3.0).forward.delta(Epsilon(1.0));
  const Bracket group = delta(Gdp::level(3.0), Epsilon(1.0));
  EXPECT_LE(alone.lower(), group.upper());
  EXPECT_GE(alone.upper(), group.lower());
  EXPECT_EQ(poisson_substitution_pair(normal_noise(numerics::Wide(0.0)), Bracket(0.5)).forward.delta(Epsilon(0.0)),
            Bracket(0.0));
  // Rate 1: N(mu) against N(-mu).
  const Bracket all = poisson_substitution_pair(normal_noise(unit), Bracket(1.0)).forward.delta(Epsilon(0.7));
  const Bracket twice = delta(Gdp::level(2.0), Epsilon(0.7));
  EXPECT_LE(all.lower(), twice.upper());
  EXPECT_GE(all.upper(), twice.lower());
}

}  // namespace
}  // namespace doeblin
