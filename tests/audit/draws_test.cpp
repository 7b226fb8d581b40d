// SPDX-License-Identifier: Apache-2.0
#include "audit/draws.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"
#include "support/statistics.hpp"

namespace doeblin::audit {
namespace {

using test::kLeastChance;
using test::kolmogorov_chance;
using test::normal_below;

std::vector<double> drawn(const Draws& draws, Side side, std::size_t count, std::uint64_t seed = 1) {
  auto random = sampling::RandomSource::insecure(seed).stream();
  return draws.draw(side, random, count).values;
}

TEST(Draws, AdditiveNoiseHasItsLawAroundTheValue) {
  for (const double scale : {1e-200, 0.3, 1.0, 7e100}) {
    const Draws gaussian = additive(2.0 * scale, {GridNoise(LatticeLaw::kGaussian, scale)});
    EXPECT_GT(kolmogorov_chance(drawn(gaussian, Side::kFirst, 50000),
                                [&](double x) { return normal_below(x / scale - 2.0); }),
              kLeastChance);
    EXPECT_GT(
        kolmogorov_chance(drawn(gaussian, Side::kSecond, 50000), [&](double x) { return normal_below(x / scale); }),
        kLeastChance);
  }
  const Draws laplace = additive(1.0, {GridNoise(LatticeLaw::kLaplace, 2.0)});
  EXPECT_GT(kolmogorov_chance(drawn(laplace, Side::kFirst, 50000),
                              [](double x) {
                                const double half = 0.5 * std::exp(-std::fabs(x - 1.0) / 2.0);
                                return x < 1.0 ? half : 1.0 - half;
                              }),
            kLeastChance);
}

TEST(Draws, IntegersStayIntegers) {
  const Draws integers = additive(3.0, {GridNoise::integers(LatticeLaw::kGaussian, 2.0)});
  for (const double x : drawn(integers, Side::kFirst, 1000)) EXPECT_EQ(x, std::floor(x));
}

TEST(Draws, ColumnsComeWithTheirProbabilities) {
  const Draws table = tabulated({0.2, 0.0, 0.8, 0.0}, {0.5, 0.5, 0.0, 0.0});
  std::vector<std::uint64_t> counts(4, 0);
  for (const double x : drawn(table, Side::kFirst, 20000)) ++counts[static_cast<std::size_t>(x)];
  EXPECT_EQ(counts[1] + counts[3], 0u);
  EXPECT_GT(test::chi_square_chance({counts[0], counts[2]}, {0.2, 0.8}), kLeastChance);
  for (const double x : drawn(table, Side::kSecond, 2000)) EXPECT_LE(x, 1.0);
}

TEST(Draws, AProcessHasTheMomentsOfItsMaps) {
  const GridNoise noise(LatticeLaw::kGaussian, 1.0);
  const Draws process = iterated({{0.0, 0.5, 0.5}, 4.0, noise, rounding::kInfinity, {true, false, true}});
  // +-2 in the first and the third step: mean +-(0.25 * 2 + 2), variance 1 + 1/4 + 1/16.
  const double deviation = std::sqrt(1.3125);
  EXPECT_GT(kolmogorov_chance(drawn(process, Side::kFirst, 50000),
                              [&](double x) { return normal_below((x - 2.5) / deviation); }),
            kLeastChance);
  EXPECT_GT(kolmogorov_chance(drawn(process, Side::kSecond, 50000),
                              [&](double x) { return normal_below((x + 2.5) / deviation); }),
            kLeastChance);
}

TEST(Draws, AProcessStaysInItsInterval) {
  const GridNoise noise(LatticeLaw::kLaplace, 1.0);
  const Draws process = iterated({{0.0, 1.0}, 1.0, noise, 0.5, {true, false}});
  for (const double x : drawn(process, Side::kFirst, 1000)) EXPECT_LE(std::fabs(x), 0.25);
}

TEST(Draws, SamplingMixesThePersonIn) {
  const Draws table = tabulated({0.0, 1.0}, {1.0, 0.0});
  std::uint64_t with = 0;
  for (const double x : drawn(sampled(table, 0.3), Side::kFirst, 20000)) with += x == 1.0 ? 1 : 0;
  EXPECT_GT(test::chi_square_chance({with, 20000 - with}, {0.3, 0.7}), kLeastChance);
  for (const double x : drawn(sampled(table, 0.3), Side::kSecond, 2000)) EXPECT_EQ(x, 0.0);
  EXPECT_THROW(static_cast<void>(sampled(table, 1.5)), InvalidArgument);
}

TEST(Draws, OutputsStandSideBySide) {
  const Draws ones = tabulated({0.0, 1.0}, {1.0, 0.0});
  const Draws pair = together({ones, together({ones, ones})});
  EXPECT_EQ(pair.dimension, 3u);
  EXPECT_EQ(drawn(pair, Side::kFirst, 4), std::vector<double>(12, 1.0));
  EXPECT_EQ(drawn(pair, Side::kSecond, 4), std::vector<double>(12, 0.0));
  const Draws noise = additive(0.0, {GridNoise(LatticeLaw::kGaussian, 1.0)});
  const std::vector<double> two = drawn(together({noise, noise}), Side::kFirst, 1000);
  double product = 0.0;
  for (std::size_t i = 0; i < 1000; ++i) product += two[2 * i] * two[2 * i + 1];
  EXPECT_LT(std::fabs(product) / std::sqrt(1000.0), 5.0);
}

TEST(Draws, NoiseThatNoGridHoldsIsRefused) {
  EXPECT_THROW(GridNoise(LatticeLaw::kGaussian, 0.0), InvalidArgument);
  EXPECT_THROW(GridNoise(LatticeLaw::kGaussian, -1.0), InvalidArgument);
  EXPECT_THROW(GridNoise(LatticeLaw::kGaussian, std::nan("")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(GridNoise::integers(LatticeLaw::kLaplace, 1e-6)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::audit
