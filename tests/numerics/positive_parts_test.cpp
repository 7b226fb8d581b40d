// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/positive_parts.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace doeblin::numerics {
namespace {

TEST(PositiveParts, TilesAreWithinTheirErrorOfTheExactSums) {
  std::mt19937 random(1);
  std::exponential_distribution<float> exponential(1.0F);
  for (const std::size_t columns : {1U, 2U, 7U, 255U, 256U, 257U, 3000U}) {
    std::vector<float> p(columns * kLeft);
    std::vector<float> q(columns * kRight);
    for (float& x : p) x = exponential(random);
    for (float& x : q) x = random() % 10 == 0 ? std::numeric_limits<float>::infinity() : exponential(random);
    float sums[kLeft][kRight];
    const float largest = positive_parts_tile(p.data(), q.data(), columns, sums);
    double seen = 0.0;
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t j = 0; j < kRight; ++j) {
        double exact = 0.0;
        for (std::size_t c = 0; c < columns; ++c)
          exact += std::max(0.0, static_cast<double>(p[c * kLeft + i]) - static_cast<double>(q[c * kRight + j]));
        EXPECT_GE(sums[i][j], exact * (1.0 - tile_error(columns)));
        EXPECT_LE(sums[i][j], exact * (1.0 + tile_error(columns)));
        seen = std::max(seen, static_cast<double>(sums[i][j]));
      }
    EXPECT_EQ(largest, seen);
  }
}

TEST(PositiveParts, CoarseTilesAreExact) {
  std::mt19937 random(3);
  for (const std::size_t columns : {1U, 15U, 16U, 17U, 1000U}) {
    std::vector<std::uint16_t> p(columns * kLeft);
    std::vector<std::uint16_t> q(columns * kCoarseRight);
    for (auto& x : p) x = random() % 4 == 0 ? kCoarseMost : static_cast<std::uint16_t>(random() % (kCoarseMost + 1));
    for (auto& x : q) x = random() % 4 == 0 ? 0 : static_cast<std::uint16_t>(random() % (kCoarseMost + 1));
    std::uint32_t sums[kLeft][kCoarseRight];
    const std::uint32_t largest = coarse_parts_tile(p.data(), q.data(), columns, sums);
    std::uint32_t seen = 0;
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t j = 0; j < kCoarseRight; ++j) {
        std::uint32_t exact = 0;
        for (std::size_t c = 0; c < columns; ++c)
          exact += static_cast<std::uint32_t>(std::max(0, p[c * kLeft + i] - q[c * kCoarseRight + j]));
        EXPECT_EQ(sums[i][j], exact);
        seen = std::max(seen, exact);
      }
    EXPECT_EQ(largest, seen);
  }
}

TEST(PositiveParts, SumsOfDoublesAreWithinTheirError) {
  std::mt19937_64 random(2);
  std::exponential_distribution<double> exponential(1.0);
  for (const std::size_t columns : {1U, 3U, 15U, 16U, 17U, 5000U}) {
    std::vector<double> p(columns);
    std::vector<double> q(columns);
    for (double& x : p) x = exponential(random);
    for (double& x : q) x = exponential(random);
    for (const double g : {0.0, 1.0, 2.5}) {
      long double exact = 0.0L;
      for (std::size_t c = 0; c < columns; ++c) exact += std::max(0.0, p[c] - g * q[c]);
      const double error = (static_cast<double>(columns) / 4.0 + 8.0) * 0x1p-53;
      EXPECT_NEAR(positive_part_sum(p.data(), q.data(), g, columns), static_cast<double>(exact),
                  error * static_cast<double>(exact));
    }
  }
}

}  // namespace
}  // namespace doeblin::numerics
