// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_coefficients.hpp"

#include <cmath>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "support/kernels.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

FiniteKernel kernel_of(const test::Row& row) {
  std::vector<double> values;
  for (const char* name : {"k11", "k12", "k13", "k21", "k22", "k23", "k31", "k32", "k33"}) values.push_back(row[name]);
  return FiniteKernel::dense(3, 3, std::move(values));
}

// Where rows agree nearly, what is left is a difference of numbers with errors: no width is asked for, but the upper
// end must stay near the truth, from the bounds that powers carry.
void check_power_table(const std::string& name, const std::function<Bracket(const test::Row&)>& evaluate) {
  const auto has_subnormals = [](const test::Row& row) { return row["k11"] > 0.0 && row["k11"] < 1e-300; };
  test::check_table(name, evaluate, {.relative_width = 1e-8, .is_sensitive = [&](const test::Row& row) {
                                       return row["truth_up"] < 1e-5 * row["steps"] || has_subnormals(row);
                                     }});
  for (const test::Row& row : test::read_table(name)) {
    if (has_subnormals(row) || row["truth_up"] == 0.0) continue;
    EXPECT_LE(std::log(evaluate(row).upper()), 0.9 * std::log(row["truth_up"]) + 1.0) << row.text;
  }
}

TEST(KernelCoefficients, DoeblinMatchesTheTable) {
  check_power_table("mixing_finite_doeblin.csv", [](const test::Row& row) {
    return doeblin_coefficient(power(kernel_of(row), row["steps"])).gamma;
  });
}

TEST(KernelCoefficients, UltraMixingMatchesTheTable) {
  check_power_table("mixing_finite_ultra.csv", [](const test::Row& row) {
    return ultra_mixing_coefficient(power(kernel_of(row), row["steps"])).level;
  });
}

TEST(KernelCoefficients, HockeyStickMatchesTheTable) {
  const auto evaluate = [](const test::Row& row) {
    return hockey_stick(power(kernel_of(row), row["steps"]), Epsilon(row["epsilon"])).value;
  };
  test::check_table("mixing_finite_hockey.csv", evaluate,
                    {.relative_width = 1e-8, .is_sensitive = [&](const test::Row& row) {
                       return row["truth_up"] < 1e-5 * row["steps"] ||
                              test::is_ill_conditioned(row, "epsilon", evaluate);
                     }});
}

// Every pair, plainly, in extended precision.
long double enumerated(const std::vector<std::vector<long double>>& rows, long double epsilon) {
  long double largest = 0.0L;
  for (std::size_t x = 0; x < rows.size(); ++x)
    for (std::size_t other = 0; other < rows.size(); ++other)
      if (x != other) largest = std::max(largest, test::hockey_stick(rows[x], rows[other], epsilon));
  return largest;
}

TEST(KernelCoefficients, EqualExhaustiveEnumeration) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  for (int round = 0; round < 150; ++round) {
    const std::size_t states = round % 15 == 0 ? 150 + random() % 51 : 2 + random() % 40;
    const std::size_t outputs = round % 3 == 0 ? 1 + random() % 60 : states;
    const test::Rows rows = test::random_rows(random, states, outputs);
    const auto exact = test::exact_rows(rows);
    for (const FiniteKernel& kernel : {test::dense_kernel(rows), test::sparse_kernel(rows)}) {
      for (const double epsilon : {0.0, uniform(random), 5.0 * uniform(random)}) {
        const auto truth = static_cast<double>(enumerated(exact, epsilon));
        const PairCoefficient found = hockey_stick(kernel, Epsilon(epsilon));
        EXPECT_LE(found.value.lower(), truth * (1.0 + 1e-16));
        EXPECT_GE(found.value.upper(), truth * (1.0 - 1e-16));
        EXPECT_LE(found.value.width(), 1e-13);
        // The pair that is named comes that close.
        EXPECT_GE(hockey_stick(kernel, found.first, found.second, Epsilon(epsilon)).upper(), found.value.lower());
      }
      long double minorised = 0.0L;
      long double level = 1.0L;  // smallest ratio
      for (std::size_t y = 0; y < outputs; ++y) {
        long double smallest = 1.0L;
        long double largest = 0.0L;
        for (const auto& row : exact) smallest = std::min(smallest, row[y]), largest = std::max(largest, row[y]);
        minorised += smallest;
        if (largest > 0.0L) level = std::min(level, smallest / largest);
      }
      const DoeblinCoefficient doeblin = doeblin_coefficient(kernel);
      EXPECT_LE(doeblin.gamma.lower(), static_cast<double>(1.0L - minorised) + 1e-18);
      EXPECT_GE(doeblin.gamma.upper(), static_cast<double>(1.0L - minorised) - 1e-18);
      EXPECT_LE(doeblin.gamma.width(), 1e-13);
      const UltraMixingCoefficient ultra = ultra_mixing_coefficient(kernel);
      EXPECT_LE(ultra.gamma.lower(), static_cast<double>(1.0L - level) + 1e-18);
      EXPECT_GE(ultra.gamma.upper(), static_cast<double>(1.0L - level) - 1e-18);
      EXPECT_LE(ultra.gamma.width(), 1e-13);
      // Attained where it says, and omega is below every row.
      EXPECT_NEAR(static_cast<double>(exact[ultra.smaller][ultra.output] / exact[ultra.larger][ultra.output]),
                  static_cast<double>(level), 1e-12);
      for (std::size_t y = 0; y < doeblin.minorising.size(); ++y)
        for (const auto& row : exact)
          EXPECT_GE(static_cast<double>(row[y]), (1.0 - doeblin.gamma.upper()) * doeblin.minorising[y] - 1e-15);
    }
  }
}

// ultra-mixing => Doeblin => Dobrushin => (gamma, epsilon)-Dobrushin, with the same gamma.
TEST(KernelCoefficients, ImplyEachOther) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 300; ++round) {
    const std::size_t states = 2 + random() % 20;
    const FiniteKernel kernel = test::dense_kernel(test::random_rows(random, states, states));
    const double ultra = ultra_mixing_coefficient(kernel).gamma.upper();
    const double doeblin = doeblin_coefficient(kernel).gamma.upper();
    const double gamma = dobrushin(kernel).value.upper();
    EXPECT_LE(doeblin, ultra + 1e-14);
    EXPECT_LE(gamma, doeblin + 1e-14);
    double before = gamma;
    for (const double epsilon : {1e-9, 0.1, 1.0, 3.0, 30.0, 800.0, rounding::kInfinity}) {
      const double at = hockey_stick(kernel, Epsilon(epsilon)).value.upper();
      EXPECT_LE(at, before + 1e-14);
      before = at;
    }
  }
}

// Powers and products mix at least as much as their factors say.
TEST(KernelCoefficients, OfPowersBeatThePowersOfCoefficients) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 100; ++round) {
    const std::size_t states = 2 + random() % 10;
    const FiniteKernel first = test::dense_kernel(test::random_rows(random, states, states));
    const FiniteKernel second = test::sparse_kernel(test::random_rows(random, states, states));
    const double both = dobrushin(product(first, second)).value.upper();
    EXPECT_LE(both, dobrushin(first).value.upper() * dobrushin(second).value.upper() + 1e-13);
    EXPECT_LE(dobrushin(power(first, 3.0)).value.upper(), std::pow(dobrushin(first).value.upper(), 3.0) + 1e-13);
  }
}

TEST(KernelCoefficients, ManyTiesAreNoTrouble) {
  // All pairs are equally bad: more than are calculated exactly.
  const std::size_t states = 300;
  test::Rows rows(states, std::vector<double>(states, 0.5 / static_cast<double>(states)));
  for (std::size_t x = 0; x < states; ++x) rows[x][x] += 0.5;
  const PairCoefficient found = dobrushin(test::dense_kernel(rows));
  EXPECT_TRUE(found.value.lower() <= 0.5 && 0.5 <= found.value.upper());
  EXPECT_LE(found.value.width(), 1e-12);
}

// All pairs of the two halves are nearly equally bad. What makes one of them the worst is spread over many columns, in
// differences below what the integers of the first screen hold; and the search that starts it is led to another pair.
TEST(KernelCoefficients, TheWorstPairCannotHideBelowTheRoundingOfTheScreen) {
  const std::size_t states = 60;
  const std::size_t spread = 512;
  std::mt19937_64 random(5);
  for (const double quantum : {0.5 / 4095.0, 0.25 / 4095.0, 0.0078125 / 4095.0}) {
    test::Rows rows;
    std::vector<double> signs(spread);
    for (std::size_t x = 0; x < states; ++x) {
      std::vector<double> row(2 + spread, 0.5 / static_cast<double>(spread));
      row[x % 2] = 0.5;
      row[1 - x % 2] = 0.0;
      // Neighbours 2k, 2k + 1 lean to opposite sides; the pair of the first two a little, one further on more.
      if (x % 2 == 0)
        for (std::size_t k = 0; k < spread; k += 2) signs[k] = random() % 2 == 0 ? 1.0 : -1.0, signs[k + 1] = -signs[k];
      const double amount = quantum * (x < 2 ? 0.3 : x / 2 == 20 ? 0.45 : 0.05);
      for (std::size_t k = 0; k < spread; ++k) row[2 + k] += (x % 2 == 0 ? amount : -amount) * signs[k];
      rows.push_back(std::move(row));
    }
    const PairCoefficient found = dobrushin(test::dense_kernel(rows));
    EXPECT_EQ(std::min(found.first, found.second), 40U);
    EXPECT_EQ(std::max(found.first, found.second), 41U);
    const auto truth = static_cast<double>(enumerated(test::exact_rows(rows), 0.0L));
    EXPECT_TRUE(found.value.lower() <= truth && truth <= found.value.upper()) << found.value << " " << truth;
  }
}

TEST(KernelCoefficients, SparseRowsWithACommonColumn) {
  // Rows share one column, or two, so no pair is disjoint; the rest is scattered.
  std::mt19937_64 random(4);
  std::exponential_distribution<double> exponential(1.0);
  const std::size_t states = 700;
  for (const std::size_t hubs : {1U, 2U, 5U}) {
    test::Rows rows(states, std::vector<double>(states, 0.0));
    for (auto& row : rows) {
      double sum = 0.0;
      for (std::size_t k = 0; k < 8; ++k) {
        double& entry = row[k < hubs ? k : random() % states];
        if (entry == 0.0) sum += entry = exponential(random);
      }
      for (double& entry : row) entry /= sum;
    }
    const auto exact = test::exact_rows(rows);
    for (const double epsilon : {0.0, 1.0}) {
      const auto truth = static_cast<double>(enumerated(exact, epsilon));
      const Bracket found = hockey_stick(test::sparse_kernel(rows), Epsilon(epsilon)).value;
      EXPECT_TRUE(found.lower() <= truth && truth <= found.upper()) << found << " " << truth;
      EXPECT_LE(found.width(), 1e-13);
    }
  }
}

TEST(KernelCoefficients, Edges) {
  const FiniteKernel one_state = FiniteKernel::dense(1, 3, {0.5, 0.25, 0.25});
  EXPECT_EQ(dobrushin(one_state).value, Bracket(0.0));
  EXPECT_EQ(ultra_mixing_coefficient(one_state).level, Bracket(0.0));
  EXPECT_EQ(doeblin_coefficient(one_state).gamma, Bracket(0.0));
  const FiniteKernel identity = FiniteKernel::dense(2, 2, {1.0, 0.0, 0.0, 1.0});
  EXPECT_EQ(hockey_stick(identity, Epsilon(rounding::kInfinity)).value, Bracket(1.0));
  EXPECT_EQ(ultra_mixing_coefficient(identity).gamma, Bracket(1.0));
  EXPECT_TRUE(doeblin_coefficient(identity).minorising.empty());
  EXPECT_EQ(dobrushin(power(identity, 0x1p53)).value.upper(), 1.0);
  const FiniteKernel equal = FiniteKernel::dense(2, 2, {0.25, 0.75, 0.25, 0.75});
  EXPECT_EQ(dobrushin(equal).value, Bracket(0.0));
  for (const double steps : {0.0, -1.0, 0.5, std::nan("")}) EXPECT_THROW((void)power(identity, steps), InvalidArgument);
  EXPECT_THROW((void)power(one_state, 2.0), InvalidArgument);
  // Entries far below what single precision and e^700 hold.
  const FiniteKernel tiny = FiniteKernel::dense(2, 2, {1e-300, 1.0, 2e-300, 1.0});
  const Bracket at = hockey_stick(tiny, Epsilon(0.5)).value;
  EXPECT_GT(at.lower(), 2e-300 - std::exp(0.5) * 1e-300 - 1e-313);
  EXPECT_LT(at.upper(), 2e-300 - std::exp(0.5) * 1e-300 + 1e-313);
}

}  // namespace
}  // namespace doeblin
