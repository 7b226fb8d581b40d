// SPDX-License-Identifier: Apache-2.0
#include "doeblin/subsampling/exchange.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/gaussian.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

using test::Row;

Profile exchanged(const SharedNoise& noise, double n, double m) {
  return exchanged_counts(noise, NoiseMixture::binomial(m, 1.0 / Bracket(n)));
}

// The best levels from above; the bound leaves them a little room.
TEST(ExchangedCounts, MatchTheTableFromAbove) {
  test::check_table("with_replacement_exchange_delta.csv",
                    [](const Row& row) {
                      const SharedNoise noise = normal_noise(gdp(Gaussian{row["sigma"]}).mu);
                      const double upper = exchanged(noise, row["n"], row["m"]).delta(Epsilon(row["epsilon"])).upper();
                      return Bracket(upper * (1.0 - 1e-8), upper);
                    },
                    {.relative_width = 2e-8, .floor = 1e-280});
}

// Two draws: a level for one draw leaves one for two; all choices in turn.
TEST(ExchangedCounts, NoOtherLevelsAreBetter) {
  const double n = 4.0, mu = 1.3;
  const double none = 9.0 / 16.0, once = 6.0 / 16.0, twice = 1.0 / 16.0;
  for (const double epsilon : {0.01, 0.2, 0.7, 2.0}) {
    const double g = std::exp(epsilon), there_is = none * (g - 1.0);
    double best = 1.0;
    for (int i = 0; i <= 20000; ++i) {
      const double first = g + there_is / once * i / 20000.0;
      const double second = g + (there_is - once * (first - g)) / twice;
      best = std::min(best, once * delta(Gdp::level(mu), Epsilon(std::log(first))).upper() +
                                twice * delta(Gdp::level(2.0 * mu), Epsilon(std::log(second))).upper());
    }
    const double found = exchanged(normal_noise(numerics::Wide(mu)), n, 2.0).delta(Epsilon(epsilon)).upper();
    EXPECT_LE(found, best * (1.0 + 1e-9));
    EXPECT_GE(found, best * (1.0 - 1e-6));
  }
}

// Between the pair in which everybody else contributes nothing and the rule with one level.
TEST(ExchangedCounts, LieBetweenThePairAndTheRule) {
  for (const auto& [n, m, mu] :
       {std::array{5.0, 3.0, 1.5}, {60000.0, 256.0, 0.9}, {10.0, 40.0, 0.3}, {1.0, 3.0, 1.0}}) {
    const SharedNoise noise = normal_noise(numerics::Wide(mu));
    const CountWeights draws = binomial_weights(1.0 / Bracket(n), m, 1e-300);
    const auto groups = [level = mu](double k) { return profile_of(Gdp{numerics::Wide(level) * k}); };
    for (const double epsilon : {0.0, 1e-9, 0.01, 0.5, 3.0, 12.0}) {
      const double found = exchanged(noise, n, m).delta(Epsilon(epsilon)).upper();
      EXPECT_GE(found, with_replacement_pair(noise, n, m).forward.delta(Epsilon(epsilon)).lower());
      EXPECT_LE(found, sampled_counts(groups, draws).delta(Epsilon(epsilon)).upper() * (1.0 + 1e-9));
    }
  }
}

// The mechanism itself: two draws out of three records in the plane, within a unit of each other, plus normal noise;
// D_g by the rectangle rule.
struct Point {
  double x, y;
};

double enumerated(const std::array<Point, 3>& first, const std::array<Point, 3>& second, double sigma, double g) {
  const auto density = [sigma](const std::array<Point, 3>& records, double x, double y) {
    double sum = 0.0;
    for (const Point& a : records)
      for (const Point& b : records)
        sum += std::exp(-(std::pow(x - a.x - b.x, 2.0) + std::pow(y - a.y - b.y, 2.0)) / (2.0 * sigma * sigma));
    return sum / (9.0 * 2.0 * M_PI * sigma * sigma);
  };
  const double step = sigma / 6.0;
  double total = 0.0;
  for (double x = -2.5 - 6.0 * sigma; x < 2.5 + 6.0 * sigma; x += step)
    for (double y = -2.5 - 6.0 * sigma; y < 2.5 + 6.0 * sigma; y += step)
      total += std::max(0.0, density(first, x, y) - g * density(second, x, y));
  return total * step * step;
}

TEST(ExchangedCounts, HoldForRecordsInThePlane) {
  const double sigma = 0.6;
  const Profile bound = exchanged(normal_noise(numerics::ratio(1.0, sigma)), 3.0, 2.0);
  const double h = std::sqrt(0.75);
  const Point corner{0.0, 0.0}, left{-0.5, h}, right{0.5, h}, middle{0.0, 0.5};
  double worst = 0.0;
  for (const double epsilon : {0.01, 0.4, 1.0}) {
    for (const auto& [removed, added, others] : {std::array{right, corner, corner},
                                                 {corner, right, corner},
                                                 {left, right, corner},
                                                 {left, right, middle},
                                                 {right, corner, middle}}) {
      const double truth = enumerated({removed, others, others}, {added, others, others}, sigma, std::exp(epsilon));
      const double upper = bound.delta(Epsilon(epsilon)).upper();
      EXPECT_LE(truth, upper + 2e-3 * upper) << epsilon;
      worst = std::max(worst, truth / upper);
    }
    EXPECT_GT(worst, 0.9);
  }
}

TEST(ExchangedCounts, HoldForOtherNoise) {
  for (const SharedNoise& noise : {laplace_noise(numerics::Wide(0.7)), twice_laplace_noise({1.5, 1.0}),
                                   integer_noise(DiscreteLaplace{1.5}), integer_noise(DiscreteGaussian{2.0})}) {
    const Profile found = exchanged(noise, 7.0, 4.0);
    const LossPair pair = with_replacement_pair(noise, 7.0, 4.0);
    double before = 1.0;
    for (const double epsilon : {0.0, 0.1, 0.5, 1.0, 1.5, 2.5}) {
      const double upper = found.delta(Epsilon(epsilon)).upper();
      EXPECT_GE(upper, pair.forward.delta(Epsilon(epsilon)).lower());
      EXPECT_LE(upper, before);
      before = upper;
    }
    const double bound = found.traits().loss_bound;
    if (std::isfinite(bound)) {
      EXPECT_GE(bound, pair.forward.traits().loss_bound * (1.0 - 1e-12));
      EXPECT_EQ(found.delta(Epsilon(bound)).upper(), 0.0);
      EXPECT_GT(found.delta(Epsilon(0.999 * bound)).upper(), 0.0);
    }
  }
}

TEST(ExchangedCounts, Edges) {
  const SharedNoise noise = normal_noise(numerics::Wide(0.9));
  const Profile found = exchanged(noise, 60000.0, 256.0);
  EXPECT_LE(found.delta(Epsilon(rounding::kInfinity)).upper(), 1e-299);
  EXPECT_GT(found.delta(Epsilon(700.0)).upper(), 0.0);
  // Many at once are the same bounds as one by one.
  std::array<double, 200> epsilon, lower, upper;
  for (std::size_t i = 0; i < epsilon.size(); ++i) epsilon[i] = 0.01 * static_cast<double>(i);
  static_cast<void>(found.deltas(epsilon, lower, upper));
  for (std::size_t i = 0; i < epsilon.size(); ++i)
    EXPECT_NEAR(upper[i] / found.delta(Epsilon(epsilon[i])).upper(), 1.0, 1e-10);
  // Nobody moves anything.
  EXPECT_EQ(exchanged(normal_noise(numerics::Wide(0.0)), 5.0, 3.0).delta(Epsilon(0.0)).upper(), 0.0);
}

}  // namespace
}  // namespace doeblin
