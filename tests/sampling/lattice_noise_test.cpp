// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/lattice_noise.hpp"

#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "sampling/exact_coin.hpp"
#include "support/statistics.hpp"
#include "support/table.hpp"

namespace doeblin::sampling {
namespace {

constexpr std::size_t kDraws = 1'000'000;

std::vector<std::int64_t> drawn(const LatticeNoise& noise, std::size_t count, std::uint64_t seed) {
  RandomStream random = RandomSource::insecure(seed).stream();
  std::vector<std::int64_t> draws(count);
  noise.fill(random, draws);
  return draws;
}

LatticeNoise noise_of(LatticeLaw law, double parameter) {
  return law == LatticeLaw::kGaussian ? LatticeNoise::gaussian(parameter) : LatticeNoise::laplace(parameter);
}

// The first 20 probabilities on both sides, and all the rest as one cell.
void check_first_twenty(LatticeLaw law, const std::string& file, const std::string& parameter) {
  std::map<double, std::vector<double>> probabilities;
  for (const test::Row& row : test::read_table(file))
    if (row["k"] == static_cast<double>(probabilities[row[parameter]].size()) && row["k"] < 20.0)
      probabilities[row[parameter]].push_back(row["truth_up"]);
  ASSERT_GT(probabilities.size(), 8u);
  std::uint64_t seed = 100;
  for (const auto& [value, first] : probabilities) {
    ASSERT_EQ(first.size(), 20u);
    std::vector<double> expected;
    double rest = 1.0;
    for (int k = -19; k < 20; ++k)
      expected.push_back(first[static_cast<std::size_t>(std::abs(k))]), rest -= expected.back();
    expected.push_back(std::max(rest, 0.0));
    std::vector<std::uint64_t> counts(expected.size(), 0);
    for (const std::int64_t z : drawn(noise_of(law, value), kDraws, ++seed)) ++counts[std::abs(z) < 20 ? z + 19 : 39];
    EXPECT_GT(test::chi_square_chance(counts, expected), test::kLeastChance) << value;
  }
}

TEST(LatticeNoise, DiscreteGaussianHasItsFirstProbabilities) {
  check_first_twenty(LatticeLaw::kGaussian, "discrete_gaussian_pmf.csv", "sigma");
}

TEST(LatticeNoise, DiscreteLaplaceHasItsFirstProbabilities) {
  check_first_twenty(LatticeLaw::kLaplace, "discrete_laplace_pmf.csv", "scale");
}

TEST(LatticeNoise, LargeParametersLookContinuous) {
  for (const double sigma : {1e5 + 0.3, 0x1p20, 0x1p31 - 1.0, 1e12, 0x1p47}) {
    std::vector<double> sample;
    for (const std::int64_t z : drawn(LatticeNoise::gaussian(sigma), kDraws, 7))
      sample.push_back(static_cast<double>(z) / sigma);
    EXPECT_GT(test::kolmogorov_chance(sample, test::normal_below), test::kLeastChance) << sigma;
  }
  for (const double scale : {1e5 + 0.3, 0x1p31 - 1.0, 0x1p47}) {
    std::vector<double> sample;
    for (const std::int64_t z : drawn(LatticeNoise::laplace(scale), kDraws, 8))
      sample.push_back(static_cast<double>(z) / scale);
    EXPECT_GT(test::kolmogorov_chance(sample,
                                      [](double x) { return x < 0.0 ? 0.5 * std::exp(x) : 1.0 - 0.5 * std::exp(-x); }),
              test::kLeastChance)
        << scale;
  }
}

// Beyond 2, 3, 4, 5 and 6 sigma, on both sides: 2^26 draws, of which about 38 lie beyond 5 sigma and none or one
// beyond 6.
TEST(LatticeNoise, TailsAreRight) {
  const double sigma = 0x1p33 + 12345.0;
  const LatticeNoise noise = LatticeNoise::gaussian(sigma);
  RandomStream random = RandomSource::insecure(9).stream();
  std::vector<std::int64_t> draws(1 << 20);
  std::vector<std::uint64_t> counts(12, 0);
  for (int round = 0; round < 64; ++round) {
    noise.fill(random, draws);
    for (const std::int64_t z : draws) {
      const double x = static_cast<double>(z) / sigma;
      const int beyond = std::min(6, std::max(1, static_cast<int>(std::fabs(x))));
      ++counts[x < 0.0 ? 6 - beyond : 5 + beyond];
    }
  }
  const auto tail = [](double x) { return 0.5 * std::erfc(x / std::sqrt(2.0)); };
  std::vector<double> expected(12);
  for (int beyond = 1; beyond <= 6; ++beyond)
    expected[6 - beyond] = expected[5 + beyond] =
        (beyond == 1 ? 0.5 : tail(beyond)) - (beyond == 6 ? 0.0 : tail(beyond + 1));
  EXPECT_GT(test::chi_square_chance(counts, expected), test::kLeastChance);
  EXPECT_LE(counts[0] + counts[11], 4u);
}

// Low bits of a draw are uniform whatever its size: a sampler that rounded a normal of 53 bits would fail.
TEST(LatticeNoise, LowBitsAreUniform) {
  std::vector<std::uint64_t> counts(256, 0);
  for (const std::int64_t z : drawn(LatticeNoise::gaussian(0x1p40), kDraws, 10)) ++counts[z & 255];
  EXPECT_GT(test::chi_square_chance(counts, std::vector<double>(256, 1.0 / 256.0)), test::kLeastChance);
}

TEST(LatticeNoise, DrawsAreIndependent) {
  const std::vector<std::int64_t> draws = drawn(LatticeNoise::gaussian(0x1p30), kDraws, 11);
  for (const std::size_t lag : {1u, 2u, 8u, 256u}) {
    double sum = 0.0;
    for (std::size_t i = lag; i < draws.size(); ++i)
      sum += std::ldexp(static_cast<double>(draws[i]), -30) * std::ldexp(static_cast<double>(draws[i - lag]), -30);
    EXPECT_LE(std::fabs(sum), 6.0 * std::sqrt(static_cast<double>(draws.size()))) << lag;
  }
}

TEST(LatticeNoise, OneDrawAtATimeHasTheSameLaw) {
  const LatticeNoise noise = LatticeNoise::laplace(2.5);
  RandomStream random = RandomSource::insecure(12).stream();
  std::vector<std::uint64_t> counts(41, 0);
  for (int i = 0; i < 200'000; ++i) {
    const std::int64_t z = noise.draw(random);
    if (std::abs(z) <= 20) ++counts[z + 20];
  }
  std::vector<double> expected;
  const double ratio = std::exp(-1.0 / 2.5);
  for (int z = -20; z <= 20; ++z) expected.push_back((1.0 - ratio) / (1.0 + ratio) * std::pow(ratio, std::abs(z)));
  EXPECT_GT(test::chi_square_chance(counts, expected), test::kLeastChance);
}

// The slow decision, on coins that it has to decide: exactly the chance, and exactly what double precision says.
TEST(LatticeNoise, TheExactCoinAgreesWithDoublePrecision) {
  RandomStream random = RandomSource::insecure(13).stream();
  for (const LatticeLaw law : {LatticeLaw::kGaussian, LatticeLaw::kLaplace})
    for (const double parameter : {0.3, 2.5, 100.0, 0x1p40 + 0.5}) {
      const ProposalTable table(law, parameter);
      int decided = 0;
      for (int i = 0; i < 3000; ++i) {
        const ProposalTable::Candidate one = table.candidate(random.next(), random.next());
        const double z = static_cast<double>(one.magnitude) / parameter;
        const double chance = one.factor * std::exp(law == LatticeLaw::kGaussian ? -z * z / 2.0 : -z);
        const double coin = std::ldexp(static_cast<double>(one.coin), -ProposalTable::kCoinBits);
        if (std::fabs(coin - chance) < 1e-9 * chance + 1e-12) continue;
        EXPECT_EQ(exact_coin(table, one, random), coin < chance) << parameter << " " << one.magnitude;
        ++decided;
      }
      EXPECT_GT(decided, 2900);
    }
}

TEST(LatticeNoise, FarStretchesContinueTheGeometricLaw) {
  RandomStream random = RandomSource::insecure(15).stream();
  std::vector<std::uint64_t> counts(20, 0);
  std::vector<double> expected;
  for (int k = 0; k < 20; ++k) expected.push_back(std::ldexp(1.0, k < 19 ? -k - 1 : -19));
  for (std::size_t i = 0; i < kDraws; ++i)
    ++counts[std::min<std::uint32_t>(19, far_stretch(random) - ProposalTable::kStretchBits)];
  EXPECT_GT(test::chi_square_chance(counts, expected), test::kLeastChance);
}

TEST(LatticeNoise, TheExactCoinIsFairWhereDoublePrecisionCannotDecide) {
  // The coin's 43 bits are those of the chance: the rest of the chance decides, with fresh bits.
  RandomStream random = RandomSource::insecure(14).stream();
  const ProposalTable table(LatticeLaw::kGaussian, 1000.0);
  ProposalTable::Candidate one = table.candidate(5, 0);
  one.magnitude = 800;
  one.block = 25;
  for (std::uint64_t slot = 0; slot < ProposalTable::kSlots - 1; ++slot)
    if (table.candidate(slot, 0).block == 25) one.factor = table.candidate(slot, 0).factor;
  const long double chance = static_cast<long double>(table.scale()) / table.share(one).divisor * std::exp(-0.32L);
  const long double scaled = std::ldexp(chance, ProposalTable::kCoinBits);
  one.coin = static_cast<std::uint64_t>(scaled);
  const double rest = static_cast<double>(scaled - std::floor(scaled));
  int kept = 0;
  for (int i = 0; i < 20'000; ++i) kept += exact_coin(table, one, random) ? 1 : 0;
  EXPECT_NEAR(kept, 20'000 * rest, 6.0 * std::sqrt(20'000 * rest * (1.0 - rest)) + 1.0);
}

}  // namespace
}  // namespace doeblin::sampling
