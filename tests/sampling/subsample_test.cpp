// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/subsample.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/statistics.hpp"

namespace doeblin::sampling {
namespace {

TEST(Subsample, PoissonDrawsEverybodyIndependently) {
  RandomStream random = RandomSource::insecure(20).stream();
  // All 16 subsets of 4 people, with their product probabilities.
  const double rate = 0.3;
  std::vector<std::uint64_t> counts(16, 0);
  for (int i = 0; i < 1'000'000; ++i) {
    unsigned subset = 0;
    for (const std::uint64_t person : poisson_subsample(random, 4, rate)) subset |= 1u << person;
    ++counts[subset];
  }
  std::vector<double> expected;
  for (unsigned subset = 0; subset < 16; ++subset) {
    const int size = std::popcount(subset);
    expected.push_back(std::pow(rate, size) * std::pow(1.0 - rate, 4 - size));
  }
  EXPECT_GT(test::chi_square_chance(counts, expected), test::kLeastChance);
}

TEST(Subsample, PoissonHasTheRightSizeAndOrder) {
  RandomStream random = RandomSource::insecure(21).stream();
  for (const double rate : {1e-4, 0.01, 0.5, 0.999}) {
    const auto chosen = poisson_subsample(random, 1'000'000, rate);
    EXPECT_NEAR(static_cast<double>(chosen.size()), 1e6 * rate, 6.0 * std::sqrt(1e6 * rate * (1.0 - rate)) + 1.0);
    EXPECT_TRUE(std::is_sorted(chosen.begin(), chosen.end()));
    EXPECT_TRUE(std::adjacent_find(chosen.begin(), chosen.end()) == chosen.end());
  }
  EXPECT_TRUE(poisson_subsample(random, 1000, 0.0).empty());
  EXPECT_EQ(poisson_subsample(random, 1000, 1.0).size(), 1000u);
  EXPECT_TRUE(poisson_subsample(random, 0, 0.5).empty());
}

TEST(Subsample, SubsetsAreUniform) {
  RandomStream random = RandomSource::insecure(22).stream();
  for (const std::uint64_t m : {1u, 2u, 3u, 5u}) {
    std::map<std::vector<std::uint64_t>, std::uint64_t> seen;
    for (int i = 0; i < 1'000'000; ++i) ++seen[subset_without_replacement(random, 6, m)];
    const double subsets = m == 1 || m == 5 ? 6.0 : m == 2 ? 15.0 : 20.0;
    ASSERT_EQ(static_cast<double>(seen.size()), subsets);
    std::vector<std::uint64_t> counts;
    for (const auto& [subset, count] : seen) {
      EXPECT_EQ(subset.size(), m);
      EXPECT_TRUE(std::is_sorted(subset.begin(), subset.end()));
      counts.push_back(count);
    }
    EXPECT_GT(test::chi_square_chance(counts, std::vector<double>(counts.size(), 1.0 / subsets)), test::kLeastChance);
  }
  EXPECT_TRUE(subset_without_replacement(random, 5, 0).empty());
  EXPECT_EQ(subset_without_replacement(random, 5, 5), (std::vector<std::uint64_t>{0, 1, 2, 3, 4}));
}

TEST(Subsample, DrawsWithReplacementAreUniform) {
  RandomStream random = RandomSource::insecure(23).stream();
  std::vector<std::uint64_t> counts(25, 0);
  for (int i = 0; i < 1'000'000; ++i) {
    const auto pair = draws_with_replacement(random, 5, 2);
    ++counts[5 * pair[0] + pair[1]];
  }
  EXPECT_GT(test::chi_square_chance(counts, std::vector<double>(25, 0.04)), test::kLeastChance);
}

TEST(Subsample, OrdersAreUniform) {
  RandomStream random = RandomSource::insecure(24).stream();
  std::map<std::vector<std::uint64_t>, std::uint64_t> seen;
  for (int i = 0; i < 1'000'000; ++i) ++seen[random_order(random, 4)];
  ASSERT_EQ(seen.size(), 24u);
  std::vector<std::uint64_t> counts;
  for (const auto& [order, count] : seen) counts.push_back(count);
  EXPECT_GT(test::chi_square_chance(counts, std::vector<double>(24, 1.0 / 24.0)), test::kLeastChance);
}

TEST(Subsample, RefusesWhatCannotBeDrawn) {
  RandomStream random = RandomSource::insecure(25).stream();
  for (const double bad : {-0.1, 1.5, std::nan("")})
    EXPECT_THROW(static_cast<void>(poisson_subsample(random, 5, bad)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(subset_without_replacement(random, 5, 6)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(draws_with_replacement(random, 0, 1)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::sampling
