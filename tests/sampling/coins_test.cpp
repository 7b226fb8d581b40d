// SPDX-License-Identifier: Apache-2.0
#include "sampling/coins.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::sampling {
namespace {

// Coins next to their chance, where a rounding error would decide: every verdict must be that of exact arithmetic.
TEST(Coins, NoVerdictIsWrong) {
  RandomStream random = RandomSource::insecure(50).stream();
  constexpr std::size_t kBatch = 1000;
  std::vector<double> exponents(kBatch), factors(kBatch), coins(kBatch);
  std::vector<std::int64_t> verdicts(kBatch);
  std::vector<long double> chances(kBatch);
  std::size_t undecided = 0;
  for (int round = 0; round < 200; ++round) {
    for (std::size_t i = 0; i < kBatch; ++i) {
      // t = z^2/(2 sigma^2) in the sampler's own arithmetic, against all digits of z and sigma.
      const double sigma = 1.0 + std::ldexp(static_cast<double>(random.next() >> 12), -30);
      const double z = std::floor(sigma * std::ldexp(static_cast<double>(random.next() >> 11), -50));
      const long double t = static_cast<long double>(z) * z / (2.0L * sigma * sigma);
      exponents[i] = (0.5 / sigma / sigma) * (z * z);
      const auto divisor = static_cast<double>(1 + random.below(100));
      factors[i] = 97.0625 / divisor;
      chances[i] = 97.0625L / divisor * std::exp(-t) * 0x1p43L;
      // Up to 12 units on either side, which is what double precision cannot tell.
      coins[i] =
          std::max(0.0, std::floor(static_cast<double>(chances[i])) - 12.0 + static_cast<double>(random.below(25)));
    }
    decide({exponents.data(), factors.data(), coins.data(), verdicts.data()}, kBatch);
    for (std::size_t i = 0; i < kBatch; ++i) {
      // The reference itself is right to 2^-60 or so.
      const long double error = chances[i] * 0x1p-52L;
      if (verdicts[i] == kKeep) ASSERT_LE(coins[i] + 1.0L, chances[i] + error) << exponents[i];
      if (verdicts[i] == kReject) ASSERT_GE(coins[i], chances[i] - error) << exponents[i];
      undecided += verdicts[i] == kUndecided ? 1 : 0;
    }
  }
  EXPECT_GT(undecided, 10'000u);
}

TEST(Coins, PlainCasesAreDecided) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<double> exponents = {0.0, 0.0, 1.0, 1.0, 800.0, 800.0, 0.0};
  const std::vector<double> factors = {1.0, 0.0, 1.0, 1.0, 1.0, 1.0, 1.0};
  const std::vector<double> coins = {0.0, 5.0, 0.0, 0x1p43 - 1.0, 5.0, 0.0, nan};
  std::vector<std::int64_t> verdicts(exponents.size());
  decide({exponents.data(), factors.data(), coins.data(), verdicts.data()}, exponents.size());
  EXPECT_EQ(verdicts, (std::vector<std::int64_t>{kKeep, kReject, kKeep, kReject, kReject, kUndecided, kUndecided}));
}

}  // namespace
}  // namespace doeblin::sampling
