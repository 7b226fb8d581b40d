// SPDX-License-Identifier: Apache-2.0
#include "verify/subsampling/noise_mixture.hpp"

#include <algorithm>
#include <cmath>

#include "verify/mechanism/noise.hpp"
#include "verify/programs.hpp"
#include "verify/subsampling/normal_mixture.hpp"
#include "verify/tables.hpp"

namespace doeblin::verify {
namespace {

using doeblin::test::Row;
using language::Call;

// Of sampled_groups_delta.csv.
constexpr double kNormal = 0.0, kLaplace = 1.0, kGeometric = 2.0;

SharedNoise noise_of(const Row& row) {
  const double scale = row["scale"];
  if (row["noise"] == kLaplace) return known_laplace(Ball(1) / Ball(scale)).noise;
  return (row["noise"] == kGeometric ? known_discrete_laplace(scale, 1.0) : known_discrete_gaussian(scale, 1.0)).noise;
}

ShiftedMixture coins(double people, double rate, const Ball& move) {
  ShiftedMixture mixture;
  for (double j = 0.0; j <= people; ++j) {
    Ball choose;
    arb_bin_uiui(choose.get(), static_cast<unsigned long>(people), static_cast<unsigned long>(j), precision());
    mixture.push_back({choose * power(Ball(rate), static_cast<unsigned long>(j)) *
                           power(Ball(1) - Ball(rate), static_cast<unsigned long>(people - j)),
                       move * Ball(j)});
  }
  return mixture;
}

Known split_of(const Row& row) {
  if (row["noise"] == kNormal) {
    const Ball move = Ball(1) / Ball(row["scale"]);
    const ShiftedMixture p = coins(row["first"], row["rate"], move), q = coins(row["second"], row["rate"], -move);
    return known_exactly([=](const Ball& epsilon) { return divergence(p, q, epsilon); });
  }
  const SharedNoise noise = noise_of(row);
  const ShiftedMixture p = coins(row["first"], row["rate"], noise->step),
                       q = coins(row["second"], row["rate"], -noise->step);
  return known_exactly([=](const Ball& epsilon) { return divergence(*noise, p, q, epsilon); });
}

TEST(VerifiedNoiseMixtures, SplitsMatchTheTable) { truth::check_table("sampled_groups_delta.csv", split_of); }

// One person is what known laws are exactly, in both directions.
TEST(VerifiedNoiseMixtures, OnePersonIsTheLawItself) {
  const Known laws[] = {known_laplace(Ball(0.7)), known_twice_laplace(Ball(1), Ball(0.5), Ball(2)),
                        known_twice_laplace(Ball(0.75), Ball(0.75), Ball(1)), known_discrete_laplace(1.5, 2.0),
                        known_discrete_gaussian(2.0, 3.0)};
  const ShiftedMixture still = {{Ball(1), Ball(0)}};
  for (const Known& law : laws)
    for (const double epsilon : {0.0, 0.125, 0.5, 0.6875, 1.25}) {
      const ShiftedMixture moved = {{Ball(1), law.noise->step}};
      const Ball truth = law.delta(Ball(epsilon)).upper;
      for (const Ball& found :
           {divergence(*law.noise, moved, still, Ball(epsilon)), divergence(*law.noise, still, moved, Ball(epsilon))}) {
        EXPECT_TRUE(arb_overlaps(found.get(), truth.get())) << epsilon << ": " << found.text() << " " << truth.text();
        if (truth.upper() > 0.0) EXPECT_GE(arb_rel_accuracy_bits(found.get()), 100) << epsilon;
      }
    }
}

// Riemann sums, of noise that no table has.
TEST(VerifiedNoiseMixtures, TwiceLaplaceMatchesRiemannSums) {
  constexpr double kStep = 1.0 / 4096.0, kReach = 40.0;
  const double large = 1.25, small = 0.5;
  const SharedNoise noise = twice_laplace_noise(Ball(small), Ball(large), Ball(1));
  const auto density = [&](double x) {
    const double y = std::fabs(x);
    return (large * std::exp(-y / large) - small * std::exp(-y / small)) / (2.0 * (large * large - small * small));
  };
  const auto law = [&](const ShiftedMixture& mixture, double z) {
    double sum = 0.0;
    for (const ShiftedPart& part : mixture) sum += part.weight.middle() * density(z - part.mean.middle());
    return sum;
  };
  for (const auto& [a, b] : {std::pair{1.0, 0.0}, {0.0, 2.0}, {2.0, 1.0}, {3.0, 3.0}})
    for (const double epsilon : {0.0, 0.25, 0.75}) {
      const ShiftedMixture p = coins(a, 0.3, Ball(1)), q = coins(b, 0.3, Ball(-1));
      double sum = 0.0;
      for (double z = -kReach + 0.5 * kStep; z < kReach; z += kStep)
        sum += kStep * std::max(0.0, law(p, z) - std::exp(epsilon) * law(q, z));
      EXPECT_NEAR(divergence(*noise, p, q, Ball(epsilon)).middle(), sum, 1e-7) << a << " " << b << " " << epsilon;
    }
}

TEST(VerifiedNoiseMixtures, ScalesThatAreCloseAreAlmostTheSame) {
  const ShiftedMixture p = coins(2, 0.25, Ball(1)), q = coins(1, 0.25, Ball(-1));
  const Ball same = divergence(*twice_laplace_noise(Ball(1), Ball(1), Ball(1)), p, q, Ball(0.5));
  for (const double gap : {0x1p-20, 0x1p-40, 0x1p-52}) {
    const Ball close = divergence(*twice_laplace_noise(Ball(1), Ball(1 + gap), Ball(1)), p, q, Ball(0.5));
    EXPECT_NEAR(close.middle() / same.middle(), 1.0, 4.0 * gap);
    EXPECT_GE(arb_rel_accuracy_bits(close.get()), 60);
  }
}

// Nothing is left from the largest loss on, and something before it.
TEST(VerifiedNoiseMixtures, LossesEndWhereTheyShould) {
  const Known laws[] = {known_laplace(Ball(0.7)), known_twice_laplace(Ball(1), Ball(0.5), Ball(1)),
                        known_discrete_laplace(1.5, 2.0)};
  for (const Known& law : laws)
    for (const auto& [a, b] : {std::pair{1.0, 0.0}, {2.0, 1.0}, {2.0, 2.0}}) {
      const ShiftedMixture p = coins(a, 0.05, law.noise->step), q = coins(b, 0.05, -law.noise->step);
      const std::optional<Ball> end = largest_loss(*law.noise, p, q);
      ASSERT_TRUE(end.has_value());
      EXPECT_EQ(divergence(*law.noise, p, q, Ball(end->upper() * (1.0 + 1e-15))).upper(), 0.0);
      EXPECT_EQ(divergence(*law.noise, q, p, Ball(end->upper() * 2.0)).upper(), 0.0);
      EXPECT_GT(divergence(*law.noise, p, q, Ball(end->lower() * (1.0 - 1e-6))).lower(), 0.0);
    }
  EXPECT_FALSE(largest_loss(*known_discrete_gaussian(2.0, 1.0).noise, coins(1, 0.5, Ball(1)), coins(0, 0.5, Ball(1))));
}

TEST(VerifiedNoiseMixtures, FallWithEpsilonAndGrowWithPeopleAndRate) {
  for (const Known& law : {known_laplace(Ball(0.5)), known_discrete_gaussian(3.0, 2.0)}) {
    const auto at = [&](double a, double b, double rate, double epsilon) {
      return divergence(*law.noise, coins(a, rate, law.noise->step), coins(b, rate, -law.noise->step), Ball(epsilon));
    };
    for (double epsilon = 0.0; epsilon < 0.4; epsilon += 0.1) {
      EXPECT_LE(at(2, 1, 0.3, epsilon + 0.1).lower(), at(2, 1, 0.3, epsilon).upper());
      EXPECT_LE(at(2, 1, 0.3, epsilon).lower(), at(3, 1, 0.3, epsilon).upper());
      EXPECT_LE(at(2, 1, 0.3, epsilon).lower(), at(2, 2, 0.3, epsilon).upper());
      EXPECT_LE(at(2, 1, 0.3, epsilon).lower(), at(2, 1, 0.4, epsilon).upper());
    }
  }
}

TEST(VerifiedNoiseMixtures, Edges) {
  const SharedNoise laplace = known_laplace(Ball(1)).noise;
  const ShiftedMixture still = {{Ball(1), Ball(0)}};
  // The same law twice, an epsilon beyond everything, somebody who is never there.
  EXPECT_LT(divergence(*laplace, still, still, Ball(0)).upper(), 1e-30);
  EXPECT_EQ(divergence(*laplace, coins(2, 0.5, Ball(1)), still, Ball(1e4)).upper(), 0.0);
  EXPECT_LT(divergence(*laplace, coins(2, 0.0, Ball(1)), still, Ball(0)).upper(), 1e-30);
  // Tails of a discrete Gaussian are followed far.
  const SharedNoise whole = known_discrete_gaussian(2.0, 2.0).noise;
  const Ball far = divergence(*whole, coins(1, 0.5, Ball(2)), still, Ball(12));
  EXPECT_GT(far.lower(), 0.0);
  EXPECT_LT(far.upper() / far.lower(), 1.0 + 1e-12);
}

}  // namespace
}  // namespace doeblin::verify
