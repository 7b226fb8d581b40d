// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/random_stream.hpp"

#include <cmath>
#include <set>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/statistics.hpp"

namespace doeblin::sampling {
namespace {

static_assert(!std::is_copy_constructible_v<RandomStream>, "two copies would draw the same noise");

TEST(RandomStream, SecureStreamsNeverRepeat) {
  const RandomSource source = RandomSource::secure();
  EXPECT_TRUE(source.is_secure());
  std::set<std::uint64_t> seen;
  for (int stream = 0; stream < 50; ++stream) {
    RandomStream random = source.stream(0);
    for (int i = 0; i < 20; ++i) seen.insert(random.next());
  }
  EXPECT_EQ(seen.size(), 1000u);
}

TEST(RandomStream, ASeedGivesTheSameStreamAndIndicesGiveOthers) {
  const RandomSource source = RandomSource::insecure(7);
  EXPECT_FALSE(source.is_secure());
  RandomStream first = source.stream(3);
  RandomStream same = RandomSource::insecure(7).stream(3);
  RandomStream other = source.stream(4);
  RandomStream other_seed = RandomSource::insecure(8).stream(3);
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t word = first.next();
    EXPECT_EQ(word, same.next());
    seen.insert({word, other.next(), other_seed.next()});
  }
  EXPECT_EQ(seen.size(), 9000u);
}

TEST(RandomStream, FillAndNextAreOneStream) {
  RandomStream one = RandomSource::insecure(1).stream();
  RandomStream two = RandomSource::insecure(1).stream();
  std::vector<std::uint64_t> words(5000);
  one.fill(std::span(words).first(7));
  one.fill(std::span(words).subspan(7));
  for (const std::uint64_t word : words) ASSERT_EQ(word, two.next());
}

TEST(RandomStream, MovingContinuesTheStream) {
  RandomStream one = RandomSource::insecure(1).stream();
  RandomStream two = RandomSource::insecure(1).stream();
  static_cast<void>(one.next());
  static_cast<void>(two.next());
  RandomStream moved = std::move(one);
  EXPECT_EQ(moved.next(), two.next());
}

TEST(RandomStream, EveryBitIsFair) {
  RandomStream random = RandomSource::insecure(2).stream();
  std::vector<std::uint64_t> ones(64, 0);
  constexpr int kWords = 1'000'000;
  for (int i = 0; i < kWords; ++i) {
    const std::uint64_t word = random.next();
    for (int bit = 0; bit < 64; ++bit) ones[bit] += word >> bit & 1;
  }
  for (int bit = 0; bit < 64; ++bit)
    EXPECT_NEAR(static_cast<double>(ones[bit]), kWords / 2.0, 6.0 * std::sqrt(kWords / 4.0));
}

TEST(RandomStream, BelowIsUniform) {
  RandomStream random = RandomSource::insecure(3).stream();
  for (const std::uint64_t bound : {1u, 2u, 3u, 7u, 100u, 1000u}) {
    std::vector<std::uint64_t> counts(bound, 0);
    for (int i = 0; i < 1'000'000; ++i) ++counts[random.below(bound)];
    if (bound > 1)
      EXPECT_GT(test::chi_square_chance(counts, std::vector<double>(bound, 1.0 / static_cast<double>(bound))),
                test::kLeastChance);
  }
  // Without rejection one residue in three would come twice as often.
  const std::uint64_t three_quarters = std::uint64_t{3} << 62;
  std::vector<std::uint64_t> residues(3, 0);
  for (int i = 0; i < 1'000'000; ++i) ++residues[random.below(three_quarters) % 3];
  EXPECT_GT(test::chi_square_chance(residues, std::vector<double>(3, 1.0 / 3.0)), test::kLeastChance);
  // Just above 2^63, where a word is rejected half of the time and a remainder would favour the small half twofold.
  const std::uint64_t bound = (std::uint64_t{1} << 63) + 1;
  std::uint64_t small = 0;
  for (int i = 0; i < 1'000'000; ++i) {
    const std::uint64_t drawn = random.below(bound);
    ASSERT_LT(drawn, bound);
    small += drawn < bound / 2 ? 1 : 0;
  }
  EXPECT_NEAR(static_cast<double>(small), 5e5, 3000.0);
}

TEST(RandomStream, BernoulliHasItsProbability) {
  RandomStream random = RandomSource::insecure(4).stream();
  for (const double p : {0.0, 1e-3, 0.25, 0.7, 1.0 - 1e-3, 1.0}) {
    std::uint64_t heads = 0;
    for (int i = 0; i < 1'000'000; ++i) heads += random.bernoulli(p) ? 1 : 0;
    EXPECT_NEAR(static_cast<double>(heads), 1e6 * p, 1e-9 + 6.0 * std::sqrt(1e6 * p * (1.0 - p))) << p;
  }
  for (const double bad : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(static_cast<void>(random.bernoulli(bad)), InvalidArgument);
  EXPECT_FALSE(random.bernoulli(5e-324));
}

}  // namespace
}  // namespace doeblin::sampling
