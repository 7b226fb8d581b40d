// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/release_grid.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/sampling/noise_path.hpp"
#include "support/generators.hpp"
#include "support/statistics.hpp"

namespace doeblin::sampling {
namespace {

ReleaseNoise gaussian_noise(double sigma, std::optional<double> rows = std::nullopt) {
  return {.law = LatticeLaw::kGaussian, .path = {{.deviation = sigma}}, .rows_per_person = rows};
}

ReleaseNoise laplace_noise(double scale, std::optional<double> rows = std::nullopt) {
  return {.law = LatticeLaw::kLaplace, .path = {{.deviation = scale}}, .rows_per_person = rows};
}

TEST(ReleaseGrid, BoundsGiveTheSensitivity) {
  const ColumnPlan plan = plan_column({.name = "age", .bounds = {{0.0, 120.0}}}, gaussian_noise(2.0));
  EXPECT_EQ(plan.sensitivity, 120.0);
  const double step = std::ldexp(1.0, plan.grid.exponent);
  EXPECT_EQ(plan.grid.sensitivity * step, 120.0);
  EXPECT_EQ(plan.grid.attained, plan.grid.sensitivity);
  EXPECT_EQ(plan.grid.path[0].noise * step, 240.0);
  EXPECT_EQ(static_cast<double>(plan.centre) * step, 60.0);
  // Several rows: a Euclidean length for Gaussian noise, a sum for Laplace noise.
  for (const auto& [noise, expected] :
       std::vector<std::pair<ReleaseNoise, double>>{{gaussian_noise(2.0, 9.0), 360.0},
                                                    {laplace_noise(2.0, 9.0), 1080.0},
                                                    {gaussian_noise(2.0, 2.0), 169.70562748477}}) {
    const ColumnPlan several = plan_column({.name = "age", .bounds = {{0.0, 120.0}}}, noise);
    EXPECT_NEAR(several.grid.sensitivity, std::ldexp(expected, -several.grid.exponent),
                1e-9 * several.grid.sensitivity);
  }
  EXPECT_NEAR(plan_column({.name = "age", .bounds = {{0.0, 120.0}}}, gaussian_noise(2.0, 9.0)).sensitivity, 360.0,
              1e-9);
  EXPECT_NEAR(plan_column({.name = "age", .bounds = {{0.0, 120.0}}}, laplace_noise(2.0, 9.0)).sensitivity, 1080.0,
              1e-9);
}

// What clipping and rounding can do to two values is what the plan says: the heart of the guarantee.
RC_GTEST_PROP(ReleaseGrid, RoundingKeepsTheSensitivity, ()) {
  const double low = *rc::gen::element(-1.0, 1.0) * test::log_uniform(1e-6, 1e6);
  const double high = low + test::log_uniform(1e-3, 1e6);
  const double sigma = test::log_uniform(0.05, 100.0);
  const double declared = (high - low) * test::log_uniform(1e-4, 1.0);
  const ColumnPlan bounded = plan_column({.name = "x", .bounds = {{low, high}}}, gaussian_noise(sigma));
  const ColumnPlan both =
      plan_column({.name = "x", .bounds = {{low, high}}, .sensitivity = declared}, gaussian_noise(sigma, 1.0));
  const double start = low + (high - declared - low) * test::log_uniform(1e-6, 1.0);
  for (int i = 0; i < 50; ++i) {
    const double x = std::min(high, std::max(low, start + declared * i * 1e-3));
    const double y = std::min(high, x + declared * (i % 2 == 0 ? 1.0 : test::log_uniform(1e-9, 1.0)));
    RC_ASSERT(std::fabs(static_cast<double>(bounded.rounded(x) - bounded.rounded(y))) <= bounded.grid.sensitivity);
    RC_ASSERT(std::fabs(static_cast<double>(both.rounded(x) - both.rounded(y))) <= both.grid.sensitivity);
  }
  RC_ASSERT(static_cast<double>(bounded.rounded(high) - bounded.rounded(low)) >= bounded.grid.attained);
  RC_ASSERT(both.grid.attained <= both.grid.sensitivity);
  RC_ASSERT(both.grid.sensitivity <=
            bounded.grid.sensitivity * std::ldexp(1.0, bounded.grid.exponent - both.grid.exponent) + 2.0);
}

TEST(ReleaseGrid, RoundsToNearestWithTiesUpward) {
  ColumnPlan plan = plan_column({.name = "x", .bounds = {{0.0, 1.0}}}, gaussian_noise(1.0));
  const double step = std::ldexp(1.0, plan.grid.exponent);
  EXPECT_EQ(plan.rounded(0.5 * step), 1);
  EXPECT_EQ(plan.rounded(1.5 * step), 2);
  EXPECT_EQ(plan.rounded(-0.5 * step), 0);
  EXPECT_EQ(plan.rounded(-0.75 * step), -1);
  EXPECT_EQ(plan.rounded(std::nextafter(0.5 * step, 0.0)), 0);
  EXPECT_EQ(plan.rounded(-0.0), 0);
  EXPECT_EQ(plan.rounded(-5e-324), 0);
}

TEST(ReleaseGrid, ReleasesLieOnAPowerOfTwoGridAndAreExact) {
  const ColumnPlan plan = plan_column({.name = "x", .bounds = {{-3.0, 10.0}}}, gaussian_noise(0.7));
  const double grid = std::ldexp(1.0, plan.grid.exponent + plan.coarse_bits(0));
  EXPECT_LE(grid, 9.1 / 4096.0);
  for (std::int64_t steps = -(std::int64_t{1} << 45); steps < std::int64_t{1} << 45; steps += 987'654'321'987) {
    const double value = plan.value_of(steps, 0);
    EXPECT_EQ(std::remainder(value, grid), 0.0);
    EXPECT_LE(std::fabs(value - std::ldexp(static_cast<double>(steps), plan.grid.exponent)), grid / 2.0);
  }
}

RC_GTEST_PROP(ReleaseGrid, TheGridCostsNextToNothing, ()) {
  const double low = *rc::gen::element(-1.0, 1.0) * test::log_uniform(1e-3, 1e3);
  const double high = low + test::log_uniform(1e-2, 1e4);
  const double sigma = test::log_uniform(0.05, 100.0);
  const ColumnPlan plan = plan_column({.name = "x", .bounds = {{low, high}}}, gaussian_noise(sigma));
  const double ratio = plan.grid.sensitivity / plan.grid.path[0].noise;
  RC_ASSERT(std::fabs(ratio * sigma - 1.0) <= 1e-8);
  RC_ASSERT(plan.grid.path[0].noise >= 0x1p20);
  // Points, noise of 50 sigma and their sums stay far from the end of the integers.
  RC_ASSERT(std::fabs(static_cast<double>(plan.rounded(high))) + 50.0 * plan.grid.path[0].noise < 0x1p62);
}

TEST(ReleaseGrid, RefusesColumnsWithoutLimits) {
  EXPECT_THROW(static_cast<void>(plan_column({.name = "x"}, gaussian_noise(1.0))), InvalidArgument);
  const double inf = std::numeric_limits<double>::infinity();
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {1.0, 1.0}, {2.0, 1.0}, {0.0, inf}, {-inf, 0.0}, {std::nan(""), 1.0}, {0.0, std::nan("")}, {-1e308, 1e308}})
    EXPECT_THROW(static_cast<void>(plan_column({.name = "x", .bounds = {{low, high}}}, gaussian_noise(1.0))),
                 InvalidArgument)
        << low << " " << high;
  for (const double bad : {0.0, -1.0, inf, std::nan("")}) {
    EXPECT_THROW(static_cast<void>(plan_column({.name = "x", .sensitivity = bad}, gaussian_noise(1.0))),
                 InvalidArgument);
    EXPECT_THROW(static_cast<void>(plan_column({.name = "x", .sensitivity = 1.0}, gaussian_noise(bad))),
                 InvalidArgument);
    EXPECT_THROW(static_cast<void>(plan_column({.name = "x", .sensitivity = 1.0}, gaussian_noise(1.0, bad))),
                 InvalidArgument);
  }
  // A grid that resolves the noise does not reach the values.
  EXPECT_THROW(static_cast<void>(plan_column({.name = "x", .bounds = {{1e15, 1e15 + 1.0}}}, gaussian_noise(0.01))),
               InvalidArgument);
}

// The attack of Mironov (2012) on noise in floating point: for 0 < y < 1/8 a sum 1 + n is a multiple of 2^-53, while
// 0 + n hardly ever is.
bool looks_like_zero(double y) { return y > 0.0 && y < 0.125 && std::remainder(y, 0x1p-53) != 0.0; }

TEST(ReleaseGrid, TheFloatingPointAttackSucceedsOnNaiveNoise) {
  std::mt19937_64 random(40);
  std::normal_distribution<double> normal;
  int seen_from_zero = 0;
  int seen_from_one = 0;
  for (int i = 0; i < 100'000; ++i) {
    seen_from_zero += looks_like_zero(0.0 + normal(random)) ? 1 : 0;
    seen_from_one += looks_like_zero(1.0 + normal(random)) ? 1 : 0;
  }
  // An event of probability 4% that one dataset has and the other never: no epsilon, whatever sigma says.
  EXPECT_GT(seen_from_zero, 3000);
  EXPECT_EQ(seen_from_one, 0);
}

TEST(ReleaseGrid, TheFloatingPointAttackFailsOnTheGrid) {
  const ColumnPlan plan = plan_column({.name = "x", .bounds = {{0.0, 1.0}}}, gaussian_noise(1.0));
  const NoisePath path(LatticeLaw::kGaussian, plan.grid.path);
  constexpr std::size_t kReleases = 1'000'000;
  const double grid = std::ldexp(1.0, plan.grid.exponent + plan.coarse_bits(0));
  std::vector<std::vector<std::uint64_t>> low_bits(2, std::vector<std::uint64_t>(64, 0));
  for (const int x : {0, 1}) {
    RandomStream random = RandomSource::insecure(41).stream(x);
    std::vector<std::int64_t> points(kReleases, plan.rounded(x));
    path.advance(0, random, points);
    for (const std::int64_t point : points) {
      const double y = plan.value_of(point, 0);
      ASSERT_FALSE(looks_like_zero(y));
      const double units = y / grid;
      ASSERT_EQ(units, std::floor(units));
      ++low_bits[x][static_cast<std::uint64_t>(static_cast<std::int64_t>(units)) % 64];
    }
  }
  // Nor do the last bits that are left tell the two apart.
  const std::vector<double> uniform(64, 1.0 / 64.0);
  for (const int x : {0, 1}) EXPECT_GT(test::chi_square_chance(low_bits[x], uniform), test::kLeastChance);
}

}  // namespace
}  // namespace doeblin::sampling
