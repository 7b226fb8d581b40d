// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/grid_noise.hpp"

#include <cmath>
#include <map>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/laplace.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

GridRelease gaussian_release(double sigma, double sensitivity, double cells = 1.0) {
  return {LatticeLaw::kGaussian,
          {{.exponent = 0,
            .sensitivity = sensitivity,
            .attained = sensitivity,
            .cells = cells,
            .path = {{.multiplier = 1.0, .noise = sigma}}}}};
}

// The lemma itself, on exact sums for the discrete Gaussian in one and two dimensions.
TEST(GridNoise, EnclosesTheDiscreteGaussian) {
  int checked = 0;
  for (const test::Row& row : test::read_table("grid_gaussian_delta.csv")) {
    const double sigma = row["sigma"];
    const double length = std::hypot(row["sensitivity1"], row["sensitivity2"]);
    if (length / sigma > 50.0) continue;
    // Below 2^7 steps the bound itself refuses; the lemma holds from r on.
    const double high = length * (1.0 + 1e-15) / std::sqrt(sigma * sigma - kSmoothing);
    const double low = length * (1.0 - 1e-15) / std::sqrt(sigma * sigma + kSmoothing);
    const Epsilon epsilon(row["epsilon"]);
    EXPECT_GE(delta(Gdp::level(high), epsilon).upper(), row["truth_up"]) << row.text;
    EXPECT_LE(delta(Gdp::level(low), epsilon).lower(), row["truth_down"]) << row.text;
    if (sigma >= 0x1p7 && row["sensitivity2"] == 0.0) {
      const Bracket got = delta(gaussian_grid_level(gaussian_release(sigma, length), 1), epsilon);
      EXPECT_GE(got.upper(), row["truth_up"]) << row.text;
      EXPECT_LE(got.lower(), row["truth_down"]) << row.text;
      ++checked;
    }
  }
  EXPECT_GT(checked, 5);
}

// Against the sums of P7, on grids as fine as those of releases.
RC_GTEST_PROP(GridNoise, AgreesWithTheDiscreteGaussianProfile, ()) {
  const double sigma = test::log_uniform(130.0, 0x1p30);
  const double sensitivity = std::ceil(sigma * test::log_uniform(1e-3, 5.0));
  RC_PRE(sensitivity <= 0x1p40);
  const double mu = sensitivity / sigma;
  const double epsilon = mu * test::log_uniform(1e-2, 8.0);
  const Bracket exact = delta(DiscreteGaussian{sigma, sensitivity}, Epsilon(epsilon));
  const Bracket got = delta(gaussian_grid_level(gaussian_release(sigma, sensitivity), 1), Epsilon(epsilon));
  RC_ASSERT(got.upper() >= exact.lower());
  RC_ASSERT(got.lower() <= exact.upper());
  // And the bracket is as narrow as the smoothing allows: delta moves by (1 + z^2) per relative unit of mu.
  const double z = epsilon / mu;
  RC_ASSERT(got.relative_width() <= 1e-12 + 4.0 * (1.0 + z * z) * 2.0 * kSmoothing / (sigma * sigma));
}

TEST(GridNoise, DiscreteLaplaceLiesBetweenTwoLaplaceMechanisms) {
  for (const double scale : {1.0, 3.7, 40.0, 1000.25})
    for (const double sensitivity : {1.0, 2.0, 7.0, 100.0})
      for (double share = 0.0; share < 1.2; share += 0.0937) {
        const GridColumn column{.exponent = 0,
                                .sensitivity = sensitivity,
                                .attained = sensitivity,
                                .cells = 1.0,
                                .path = {{.multiplier = 1.0, .noise = scale}}};
        const Bracket level = laplace_grid_level(column);
        const Epsilon epsilon(share * sensitivity / scale);
        const Bracket exact = delta(DiscreteLaplace{scale, sensitivity}, epsilon);
        EXPECT_GE(delta(Laplace{1.0, level.upper()}, epsilon).upper(), exact.lower()) << scale << " " << sensitivity;
        EXPECT_LE(delta(Laplace{1.0, level.lower()}, epsilon).lower(), exact.upper()) << scale << " " << sensitivity;
      }
}

TEST(GridNoise, LaplaceOnAFineGridCostsNothing) {
  const GridColumn column{.exponent = -36,
                          .sensitivity = 0x1p36,
                          .attained = 0x1p36,
                          .cells = 1.0,
                          .path = {{.multiplier = 1.0, .noise = 0x1p37}}};
  const Bracket level = laplace_grid_level(column);
  EXPECT_GE(level.upper(), 0.5);
  EXPECT_LE(level.upper(), 0.5 + 1e-9);
  EXPECT_LE(level.lower(), 0.5);
  EXPECT_GE(level.lower(), 0.5 - 1e-9);
  for (const double epsilon : {0.0, 0.1, 0.4999}) {
    const Bracket exact = delta(DiscreteLaplace{0x1p37, 0x1p36}, Epsilon(epsilon));
    EXPECT_GE(delta(Laplace{1.0, level.upper()}, Epsilon(epsilon)).upper(), exact.lower());
  }
}

TEST(GridNoise, AMillionStepsToASigmaCostNothing) {
  const GridLevel level = gaussian_grid_level(gaussian_release(0x1p20, 0x1p20), 1);
  EXPECT_NEAR(enclose(level.gdp.mu).upper(), 1.0, 1e-10);
  EXPECT_NEAR(enclose(level.gdp.mu).lower(), 1.0, 1e-10);
  EXPECT_GE(enclose(level.gdp.mu).upper(), 1.0);
  EXPECT_LE(enclose(level.gdp.mu).lower(), 1.0);
  EXPECT_EQ(level.slack, 0.0);
}

// A path on a fine grid has the levels of the diffusion, from above.
TEST(GridNoise, PathsHaveTheLevelsOfTheDiffusion) {
  const DiffusionProcess process{0.4, 1.5};
  const double times[] = {0.5, 1.25, 4.0};
  for (const double cells : {1.0, 64.0}) {
    GridColumn column{.exponent = -36, .sensitivity = 0x1p36, .attained = 0x1p36, .cells = cells, .path = {}};
    double before = 0.0;
    for (const double time : times) {
      const DiffusionTransition law = transition(process, Bracket(time - before));
      column.path.push_back({std::ldexp(std::nearbyint(std::ldexp(law.decay.middle(), 52)), -52),
                             std::ldexp(law.deviation.middle(), 36)});
      before = time;
    }
    const GridRelease release{LatticeLaw::kGaussian, {column}};
    for (std::size_t i = 1; i <= 3; ++i) {
      const Bracket exact = enclose(gdp(DiffusionMechanism{process, Bracket(times[i - 1]), 1.0}).mu);
      const GridLevel level = gaussian_grid_level(release, i);
      const Bracket got = enclose(level.gdp.mu);
      EXPECT_GE(got.upper(), exact.lower()) << i;
      EXPECT_LE(got.lower(), exact.upper()) << i;
      EXPECT_LE(got.upper(), exact.upper() * (1.0 + 1e-8)) << i;
      const Bracket plain = delta(level.gdp, Epsilon(0.5));
      EXPECT_LE(delta(level, Epsilon(0.5)).lower(), std::max(0.0, plain.lower() - level.slack * (1.0 + std::exp(0.5))))
          << i;
      EXPECT_LE(level.slack, 1e-8) << i;
      EXPECT_GT(level.slack, 0.0) << i;
    }
  }
}

// Exact law of a short path on a coarse grid, by convolution: the second route to path levels.
class ExactPath {
 public:
  ExactPath(int start, const std::vector<GridTransition>& path) : law_(kSize, 0.0L) {
    law_[kCentre + start] = 1.0L;
    for (const GridTransition& step : path) advance(step);
  }
  static double delta(const ExactPath& p, const ExactPath& q, double epsilon) {
    long double sum = 0.0L;
    for (int i = 0; i < kSize; ++i)
      sum += std::max(0.0L, p.law_[i] - std::exp(static_cast<long double>(epsilon)) * q.law_[i]);
    return static_cast<double>(sum);
  }

 private:
  static constexpr int kSize = 8001;
  static constexpr int kCentre = kSize / 2;

  void advance(const GridTransition& step) {
    std::vector<long double> moved(kSize, 0.0L);
    for (int i = 0; i < kSize; ++i)
      moved[kCentre + static_cast<int>(std::floor(step.multiplier * (i - kCentre) + 0.5))] += law_[i];
    const int reach = static_cast<int>(9.0 * step.noise);
    std::vector<long double> noise(2 * reach + 1);
    long double total = 0.0L;
    for (int z = -reach; z <= reach; ++z)
      total += noise[z + reach] = std::exp(-static_cast<long double>(z) * z / (2.0L * step.noise * step.noise));
    std::fill(law_.begin(), law_.end(), 0.0L);
    for (int i = 0; i < kSize; ++i) {
      if (moved[i] < 1e-25L) continue;
      for (int z = std::max(-reach, -i); z <= std::min(reach, kSize - 1 - i); ++z)
        law_[i + z] += moved[i] * noise[z + reach] / total;
    }
  }

  std::vector<long double> law_;
};

TEST(GridNoise, PathsAreNoWorseThanTheirLevels) {
  const std::vector<GridTransition> path = {{0.75, 130.0}, {0.5625, 140.0}};
  for (const int distance : {1, 37, 200, 401}) {
    const GridRelease release{LatticeLaw::kGaussian,
                              {{.exponent = 0,
                                .sensitivity = static_cast<double>(distance),
                                .attained = static_cast<double>(distance),
                                .cells = 1.0,
                                .path = path}}};
    for (std::size_t i = 1; i <= 2; ++i) {
      const std::vector<GridTransition> part(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(i));
      const GridLevel level = gaussian_grid_level(release, i);
      for (const int start : {0, -3, 100})
        for (const double epsilon : {0.0, 0.1, 0.5, 2.0}) {
          const ExactPath p(start, part);
          const ExactPath q(start + distance, part);
          const double truth = std::max(ExactPath::delta(p, q, epsilon), ExactPath::delta(q, p, epsilon));
          const Bracket got = delta(level, Epsilon(epsilon));
          EXPECT_GE(got.upper(), truth - 1e-15) << distance << " " << i << " " << epsilon;
          EXPECT_LE(got.lower(), truth + 1e-15) << distance << " " << i << " " << epsilon;
        }
    }
  }
}

// Published in cells: the exact law of the cells lies between the ends, also where cells are coarse.
TEST(GridNoise, LowerEndsHoldForWhatIsPublished) {
  for (const LatticeLaw law : {LatticeLaw::kGaussian, LatticeLaw::kLaplace})
    for (const int cell : {1, 16, 64, 256})
      for (const int distance : {300, 1000, 1003}) {
        const double parameter = 1000.25;
        const GridColumn column{.exponent = 0,
                                .sensitivity = static_cast<double>(distance),
                                .attained = static_cast<double>(distance),
                                .cells = 1.0,
                                .path = {{1.0, parameter, static_cast<double>(cell)}}};
        const auto weight = [&](double z) {
          return law == LatticeLaw::kGaussian ? std::exp(-z * z / (2.0 * parameter * parameter))
                                              : std::exp(-std::fabs(z) / parameter);
        };
        for (const double epsilon : {0.0, 0.05, 0.2, 0.7}) {
          // The worst place of the two values in their cells.
          double worst = 0.0;
          for (int start = 0; start < cell; start += std::max(1, cell / 4)) {
            std::map<int, std::pair<double, double>> cells;
            double total = 0.0;
            for (int z = -40'000; z <= 40'000; ++z) {
              const double w = weight(z);
              total += w;
              cells[static_cast<int>(std::floor((start + z + cell / 2.0) / cell))].first += w;
              cells[static_cast<int>(std::floor((start + distance + z + cell / 2.0) / cell))].second += w;
            }
            double sum = 0.0;
            for (const auto& [place, masses] : cells)
              sum += std::max(0.0, masses.second - std::exp(epsilon) * masses.first) / total;
            worst = std::max(worst, sum);
          }
          const Bracket level = law == LatticeLaw::kLaplace ? laplace_grid_level(column) : Bracket(0.0);
          const GridRelease release{law, {column}};
          const Bracket got = law == LatticeLaw::kGaussian
                                  ? delta(gaussian_grid_level(release, 1), Epsilon(epsilon))
                                  : Bracket(delta(Laplace{1.0, level.lower()}, Epsilon(epsilon)).lower(),
                                            delta(Laplace{1.0, level.upper()}, Epsilon(epsilon)).upper());
          EXPECT_LE(got.lower(), worst + 1e-13) << cell << " " << distance << " " << epsilon;
          EXPECT_GE(got.upper(), worst - 1e-13) << cell << " " << distance << " " << epsilon;
          // 2^-6 of the noise costs about 2^-12 of delta, for Gaussian noise.
          if (law == LatticeLaw::kGaussian && cell == 16) EXPECT_LE(got.relative_width(), 0.02);
        }
      }
}

TEST(GridNoise, ColumnsAndCellsAddUp) {
  GridRelease release = gaussian_release(0x1p30, 0x1p29);
  const double one = enclose(gaussian_grid_level(release, 1).gdp.mu).upper();
  release.columns.push_back(release.columns[0]);
  release.columns.push_back(release.columns[0]);
  release.columns.push_back(release.columns[0]);
  EXPECT_NEAR(enclose(gaussian_grid_level(release, 1).gdp.mu).upper(), 2.0 * one, 1e-12);
}

// A shift is a whole number of steps in every cell: what the first noise cannot take in full meets the second one.
TEST(GridNoise, ShiftsAreWholeSteps) {
  const double cells = 1e12;
  const double distance = 0x1p24;
  const double noise = 0x1p24;
  const GridRelease release{LatticeLaw::kGaussian,
                            {{.exponent = 0,
                              .sensitivity = distance,
                              .attained = distance,
                              .cells = cells,
                              .path = {{1.0, noise}, {1.0, noise}}}}};
  const double upper = enclose(gaussian_grid_level(release, 2).gdp.mu).upper();
  EXPECT_GE(upper, (distance + std::sqrt(cells)) / (noise * std::sqrt(2.0)));
  EXPECT_LE(upper, (distance + std::sqrt(cells)) / (noise * std::sqrt(2.0)) * (1.0 + 1e-9));
}

TEST(GridNoise, RefusesTooLittleNoise) {
  EXPECT_THROW(static_cast<void>(gaussian_grid_level(gaussian_release(100.0, 1.0), 1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(gaussian_grid_level(gaussian_release(0x1p20, 0x1p27), 1)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
