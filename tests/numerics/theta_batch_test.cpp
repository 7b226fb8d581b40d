// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/theta_batch.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/numerics/theta.hpp"
#include "numerics/theta_cells.hpp"
#include "support/table.hpp"

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;
using rounding::kSmallest;

// Enough values for any number of cells.
constexpr std::size_t kLong = 16384;

std::vector<Bracket> batch(const std::vector<double>& epsilon, const Wide& r) {
  std::vector<double> lower(epsilon.size(), -1.0);
  std::vector<double> upper(epsilon.size(), 2.0);
  theta(epsilon, r, lower, upper);
  std::vector<Bracket> result;
  for (std::size_t i = 0; i < epsilon.size(); ++i) result.emplace_back(lower[i], upper[i]);
  return result;
}

std::vector<Bracket> one_by_one(const std::vector<double>& epsilon, const Wide& r) {
  std::vector<Bracket> result;
  for (const double e : epsilon) result.push_back(theta(e, r));
  return result;
}

// The same value many times, so that cells are worth building.
Bracket repeated(double epsilon, const Wide& r) {
  const auto results = batch(std::vector<double>(259, epsilon), r);
  for (const Bracket& result : results) EXPECT_EQ(result, results.front()) << epsilon;
  return results.front();
}

bool has_avx2() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
#else
  return false;
#endif
}

void expect_agreement(double epsilon, const Wide& r, const Bracket& got) {
  const Bracket scalar = theta(epsilon, r);
  // One unit, because both round subnormal ends outward.
  const bool agrees = got.lower() <= scalar.upper() && scalar.lower() <= got.upper() &&
                      got.lower() >= scalar.lower() * (1.0 - 1e-13) - kSmallest &&
                      got.upper() <= scalar.upper() * (1.0 + 1e-13) + kSmallest && got.upper() <= 1.0 &&
                      (got.lower() < 1e-300 || got.relative_width() <= 1e-13);
  EXPECT_TRUE(agrees) << "epsilon " << epsilon << " r " << r.hi << " gave " << got << " not " << scalar;
}

TEST(ThetaBatch, MatchesTheTableOfTheScalarTheta) {
  test::check_table(
      "gaussian_delta.csv",
      [](const test::Row& row) { return repeated(row["epsilon"], ratio(row["sensitivity"], row["sigma"])); },
      {.relative_width = 1e-13});
}

TEST(ThetaBatch, MatchesItsTableInCellsOfTheirOwn) {
  test::check_table("theta_batch.csv", [](const test::Row& row) { return repeated(row["epsilon"], Wide(row["r"])); },
                    {.relative_width = 1e-13});
}

TEST(ThetaBatch, MatchesItsTableInOneTableOfCells) {
  std::map<double, std::vector<double>> epsilons;
  for (const test::Row& row : test::read_table("theta_batch.csv")) epsilons[row["r"]].push_back(row["epsilon"]);
  std::map<std::pair<double, double>, Bracket> results;
  for (auto& [r, epsilon] : epsilons) {
    const std::size_t count = epsilon.size();
    for (std::size_t i = 0; epsilon.size() < kLong; ++i) epsilon.push_back(epsilon[i]);
    const auto brackets = batch(epsilon, Wide(r));
    for (std::size_t i = 0; i < count; ++i) results[{r, epsilon[i]}] = brackets[i];
  }
  test::check_table("theta_batch.csv",
                    [&](const test::Row& row) {
                      return results.at({row["r"], row["epsilon"]});
                    },
                    {.relative_width = 1e-13});
}

TEST(ThetaBatch, AgreesWithTheScalarThetaEverywhere) {
  std::mt19937_64 random(20240607);
  const auto uniform = [&](double low, double high) {
    return low + (high - low) * (static_cast<double>(random() >> 11) * 0x1p-53);
  };
  for (int round = 0; round < 160; ++round) {
    const Wide r = ratio(1.0, std::exp(uniform(-std::log(60.0), std::log(1e8))));
    // All of it, or a part, which decides the width of the cells.
    const double a_low = round % 2 == 0 ? -r.hi / 2.0 : uniform(-r.hi / 2.0, 36.0);
    const double a_high = round % 4 < 2 ? 45.0 : uniform(a_low, 45.0);
    std::vector<double> epsilon;
    while (epsilon.size() < kLong / 2 + 3)
      epsilon.push_back(std::max(0.0, r.hi * (uniform(a_low, a_high) + r.hi / 2.0)));
    const auto got = batch(epsilon, r);
    for (std::size_t i = 0; i < epsilon.size(); ++i) expect_agreement(epsilon[i], r, got[i]);
    if (HasFailure()) return;
  }
}

TEST(ThetaBatch, AgreesAtTheEdgesOfCells) {
  for (const double r : {1e-8, 0.013, 0.2, 1.0, 3.7, 17.3, 31.0, 60.0}) {
    const auto plan = kernel::plan_cells(0.0, 50.0 * r + r * r, Wide(r));
    std::vector<double> epsilon;
    for (std::size_t k = 0; k < plan.count; ++k) {
      const double edge = (plan.first + static_cast<double>(k) + 0.5) * plan.width;
      for (const double e : {edge, rounding::next_down(edge), rounding::next_up(edge), edge + plan.width / 2.0})
        epsilon.push_back(e);
    }
    epsilon.push_back(0.0);
    epsilon.push_back(50.0 * r + r * r);
    const auto got = batch(epsilon, Wide(r));
    for (std::size_t i = 0; i < epsilon.size(); ++i) expect_agreement(epsilon[i], Wide(r), got[i]);
  }
}

TEST(ThetaBatch, LongArraysTakeTheFastWay) {
  if (!has_avx2()) GTEST_SKIP() << "no AVX2 here";
  std::vector<double> epsilon(kLong);
  for (std::size_t i = 0; i < kLong; ++i) epsilon[i] = static_cast<double>(i) * 0x1p-10;
  for (const double r : {1e-6, 1e-2, 1.0, 30.0}) EXPECT_NE(batch(epsilon, Wide(r)), one_by_one(epsilon, Wide(r))) << r;
}

TEST(ThetaBatch, EveryLengthAndShare) {
  // The first and last lengths of a block, of the fast way, and of a share among threads.
  for (const std::size_t count :
       {0u, 1u, 3u, 4u, 5u, 255u, 256u, 257u, 258u, 259u, 383u, 384u, 385u, 2047u, 65535u, 65536u, 65537u, 81921u}) {
    std::vector<double> epsilon(count);
    for (std::size_t i = 0; i < count; ++i) epsilon[i] = static_cast<double>(i * 7919 % 1009) * 0x1p-10;
    const auto got = batch(epsilon, Wide(1.0));
    for (std::size_t i = 0; i < count; ++i) expect_agreement(epsilon[i], Wide(1.0), got[i]);
    if (count < 256) EXPECT_EQ(got, one_by_one(epsilon, Wide(1.0))) << count;
    // The same bits wherever in the array an epsilon stands.
    for (std::size_t i = 1009; i < count; ++i) ASSERT_EQ(got[i], got[i - 1009]) << count << " " << i;
  }
}

TEST(ThetaBatch, FewValuesForManyCellsAreTheScalarOnes) {
  std::vector<double> epsilon(1000);
  for (std::size_t i = 0; i < epsilon.size(); ++i) epsilon[i] = static_cast<double>(i) / 20.0;
  EXPECT_EQ(batch(epsilon, Wide(1.0)), one_by_one(epsilon, Wide(1.0)));
}

TEST(ThetaBatch, LevelsThatCellsDoNotServeAreTheScalarOnes) {
  for (const Wide r : {Wide(), Wide(kSmallest), Wide(1e-310), Wide(0x1p-501), Wide(64.5), Wide(1e9), Wide(1e300),
                       Wide(kInfinity, 0.0, kInfinity), Wide(1.0, 0.0, 1e-10), ratio(1e300, 1e-300)}) {
    const double middle = std::min(r.hi * r.hi / 2.0, 1e300);
    std::vector<double> epsilon(kLong);
    for (std::size_t i = 0; i < epsilon.size(); ++i)
      epsilon[i] = middle + std::min(r.hi, 1e150) * static_cast<double>(i % 29) / 4.0;
    epsilon[5] = kInfinity;
    EXPECT_EQ(batch(epsilon, r), one_by_one(epsilon, r)) << r.hi;
  }
}

TEST(ThetaBatch, AnUncertainLevelIsEnclosed) {
  for (const double r : {1e-6, 0.3, 1.0, 12.0, 50.0}) {
    for (const double a : {-8.0, -0.1, 0.0, 4.0, 30.0}) {
      const double epsilon = std::max(0.0, r * (a + r / 2.0));
      const double error = 0x1p-90 * r;
      const Bracket fuzzy = repeated(epsilon, Wide(r, 0.0, error));
      for (const double sign : {-1.0, 1.0}) {
        const Bracket end = theta(epsilon, Wide(r, sign * error, 0.0));
        EXPECT_LE(fuzzy.lower(), end.upper()) << r << " " << a;
        EXPECT_GE(fuzzy.upper(), end.lower()) << r << " " << a;
      }
      expect_agreement(epsilon, Wide(r, 0.0, error), fuzzy);
    }
  }
}

TEST(ThetaBatch, TinyAndInfinite) {
  // A positive theta below the smallest double has that as its upper end, and only an infinite epsilon gives 0.
  std::vector<double> epsilon(300, 39.2);
  epsilon[1] = 1e4;
  epsilon[2] = 1.7e308;
  epsilon[3] = kInfinity;
  epsilon[4] = -0.0;
  epsilon[299] = kInfinity;
  for (const double r : {0x1p-500, 1e-6, 1.0}) {
    const auto got = batch(epsilon, Wide(r));
    for (const std::size_t i : {0, 1, 2, 298}) EXPECT_EQ(got[i], Bracket(0.0, kSmallest)) << r << " " << i;
    for (const std::size_t i : {3, 299}) EXPECT_EQ(got[i], Bracket(0.0)) << r << " " << i;
    expect_agreement(0.0, Wide(r), got[4]);
  }
  EXPECT_EQ(repeated(kInfinity, Wide(1.0)), Bracket(0.0));
  EXPECT_EQ(repeated(1e308, Wide(0x1p-500)), Bracket(0.0, kSmallest));
  EXPECT_EQ(repeated(0.0, Wide(60.0)).upper(), 1.0);
  EXPECT_GE(repeated(0.0, Wide(60.0)).lower(), 1.0 - 1e-15);
}

TEST(ThetaBatch, RefusesWhatTheScalarThetaRefuses) {
  for (const std::size_t count : {1u, 3000u, 100000u}) {
    for (const double bad : {-1.0, -kSmallest, -kInfinity, std::nan("")}) {
      for (const std::size_t place : {std::size_t{0}, count / 2, count - 1}) {
        std::vector<double> epsilon(count, 1.0);
        epsilon[place] = bad;
        std::string expected;
        try {
          static_cast<void>(theta(bad, Wide(1.0)));
        } catch (const InvalidArgument& error) {
          expected = error.what();
        }
        try {
          static_cast<void>(batch(epsilon, Wide(1.0)));
          ADD_FAILURE() << bad << " at " << place << " of " << count;
        } catch (const InvalidArgument& error) {
          EXPECT_EQ(error.what(), expected);
        }
      }
    }
  }
  EXPECT_THROW(static_cast<void>(batch({1.0}, Wide(-1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(batch({}, Wide(std::nan("")))), InvalidArgument);
  std::vector<double> three(3);
  std::vector<double> two(2);
  EXPECT_THROW(theta(three, Wide(1.0), two, three), InvalidArgument);
  EXPECT_THROW(theta(three, Wide(1.0), three, two), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::numerics
