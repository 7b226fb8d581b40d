// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/noise_path.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

#include "support/statistics.hpp"

namespace doeblin::sampling {
namespace {

constexpr std::size_t kPaths = 1'000'000;
constexpr int kExponent = -34;

using Moments = std::array<std::array<double, 3>, 3>;

// dX = -theta X dt + sqrt(2) rho dW at three times, on a grid of 2^-34.
struct Process {
  double theta;
  double rho;
  std::array<double, 3> times;

  [[nodiscard]] double decay(double time) const {
    return std::ldexp(std::nearbyint(std::ldexp(std::exp(-theta * time), 52)), -52);
  }
  [[nodiscard]] double variance(double time) const {
    return theta == 0.0 ? 2.0 * rho * rho * time : rho * rho * -std::expm1(-2.0 * theta * time) / theta;
  }
  [[nodiscard]] NoisePath path() const {
    std::vector<GridTransition> steps;
    double before = 0.0;
    for (const double time : times) {
      steps.push_back({decay(time - before), std::ldexp(std::sqrt(variance(time - before)), -kExponent)});
      before = time;
    }
    return NoisePath(LatticeLaw::kGaussian, steps);
  }
  // Cov(X_s, X_t) = e^{-theta (t - s)} Var(X_s) for s <= t.
  [[nodiscard]] Moments covariance() const {
    Moments result{};
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        result[i][j] = std::exp(-theta * std::fabs(times[i] - times[j])) * variance(std::min(times[i], times[j]));
    return result;
  }
};

const Process kBrownian{0.0, 1.0, {0.5, 1.0, 3.0}};
const Process kPulled{0.7, 1.3, {0.25, 1.0, 2.5}};

// The three releases of many paths that start at x.
std::array<std::vector<double>, 3> simulate(const Process& process, double x, std::uint64_t seed) {
  const NoisePath path = process.path();
  RandomStream random = RandomSource::insecure(seed).stream();
  std::vector<std::int64_t> points(kPaths, static_cast<std::int64_t>(std::ldexp(x, -kExponent)));
  std::array<std::vector<double>, 3> releases;
  for (std::size_t i = 0; i < 3; ++i) {
    path.advance(i, random, points);
    for (const std::int64_t point : points) releases[i].push_back(std::ldexp(static_cast<double>(point), kExponent));
  }
  return releases;
}

Moments sample_covariance(const std::array<std::vector<double>, 3>& releases, const std::array<double, 3>& means) {
  Moments result{};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      for (std::size_t k = 0; k < kPaths; ++k)
        result[i][j] += (releases[i][k] - means[i]) * (releases[j][k] - means[j]);
      result[i][j] /= static_cast<double>(kPaths);
    }
  return result;
}

// The weights S^-1 d of the best test for a difference d, by Cramer's rule.
std::array<double, 3> best_weights(const Moments& s, const std::array<double, 3>& d) {
  const auto determinant = [](const Moments& m) {
    return m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
           m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  };
  std::array<double, 3> weights{};
  for (int k = 0; k < 3; ++k) {
    Moments replaced = s;
    for (int i = 0; i < 3; ++i) replaced[i][k] = d[i];
    weights[k] = determinant(replaced) / determinant(s);
  }
  return weights;
}

TEST(NoisePath, ReleasesHaveTheLawOfTheDiffusion) {
  for (const Process& process : {kBrownian, kPulled}) {
    const auto releases = simulate(process, 2.0, 30);
    for (std::size_t i = 0; i < 3; ++i) {
      const double mean = 2.0 * std::exp(-process.theta * process.times[i]);
      const double deviation = std::sqrt(process.variance(process.times[i]));
      EXPECT_GT(
          test::kolmogorov_chance(releases[i], [&](double x) { return test::normal_below((x - mean) / deviation); }),
          test::kLeastChance)
          << process.theta << " " << i;
    }
  }
}

TEST(NoisePath, CovariancesAreThoseOfTheDiffusion) {
  for (const Process& process : {kBrownian, kPulled}) {
    std::array<double, 3> means{};
    for (int i = 0; i < 3; ++i) means[i] = 2.0 * std::exp(-process.theta * process.times[i]);
    const Moments seen = sample_covariance(simulate(process, 2.0, 31), means);
    const Moments exact = process.covariance();
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        // Var(sample covariance) = (S_ii S_jj + S_ij^2)/n for normal variables.
        const double error = std::sqrt((exact[i][i] * exact[j][j] + exact[i][j] * exact[i][j]) / kPaths);
        EXPECT_NEAR(seen[i][j], exact[i][j], 4.5 * error) << process.theta << " " << i << " " << j;
      }
  }
}

// Colluders who pool all tiers have the best test with weights S^-1 d on them. On a Markov path it looks at the first
// tier alone, and its power d S^-1 d is that tier's; with fresh noise for every tier the powers would add up.
TEST(NoisePath, PoolingTiersTellsNoMoreThanTheFirst) {
  for (const Process& process : {kBrownian, kPulled}) {
    std::array<double, 3> difference{};
    std::array<double, 3> none{};
    for (int i = 0; i < 3; ++i) difference[i] = std::exp(-process.theta * process.times[i]);
    double independent = 0.0;
    for (int i = 0; i < 3; ++i) independent += difference[i] * difference[i] / process.variance(process.times[i]);
    const double first = difference[0] * difference[0] / process.variance(process.times[0]);

    const std::array<double, 3> exact = best_weights(process.covariance(), difference);
    EXPECT_NEAR(exact[1], 0.0, 1e-12);
    EXPECT_NEAR(exact[2], 0.0, 1e-12);

    const std::array<double, 3> seen = best_weights(sample_covariance(simulate(process, 0.0, 32), none), difference);
    double power = 0.0;
    for (int i = 0; i < 3; ++i) power += seen[i] * difference[i];
    // The sample's error of d S^-1 d is about sqrt(2/n) of it.
    EXPECT_NEAR(power, first, 5.0 * std::sqrt(2.0 / kPaths) * first);
    EXPECT_LT(power, 0.9 * independent);
    EXPECT_NEAR(seen[1], 0.0, 0.01);
    EXPECT_NEAR(seen[2], 0.0, 0.01);
  }
}

// The log-likelihood ratio of pooled tiers, transition by transition, against that of the first tier alone.
TEST(NoisePath, LikelihoodRatiosOfPooledTiersAreThoseOfTheFirst) {
  const Process& process = kPulled;
  const auto releases = simulate(process, 0.0, 33);
  const auto log_density = [](double x, double mean, double variance) {
    return -0.5 * (x - mean) * (x - mean) / variance - 0.5 * std::log(variance);
  };
  const auto log_likelihood = [&](std::size_t k, double x) {
    double sum = 0.0;
    double from = x;
    double before = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double time = process.times[i] - before;
      sum += log_density(releases[i][k], process.decay(time) * from, process.variance(time));
      from = releases[i][k];
      before = process.times[i];
    }
    return sum;
  };
  for (std::size_t k = 0; k < 1000; ++k) {
    const double time = process.times[0];
    const double alone = log_density(releases[0][k], process.decay(time), process.variance(time)) -
                         log_density(releases[0][k], 0.0, process.variance(time));
    EXPECT_NEAR(log_likelihood(k, 1.0) - log_likelihood(k, 0.0), alone, 1e-9);
  }
}

TEST(NoisePath, ProductsAreRoundedToNearestWithTiesUpward) {
  // With a multiplier of 1/2 and almost no noise, only rounding is left.
  const NoisePath path(LatticeLaw::kGaussian, {{0.5, 0x1p-10}});
  RandomStream random = RandomSource::insecure(34).stream();
  std::vector<std::int64_t> points = {0, 1, 2, 3, -1, -2, -3, 1'000'000'000'001, -1'000'000'000'001};
  path.advance(0, random, points);
  EXPECT_EQ(points, (std::vector<std::int64_t>{0, 1, 1, 2, 0, -1, -1, 500'000'000'001, -500'000'000'000}));
}

}  // namespace
}  // namespace doeblin::sampling
