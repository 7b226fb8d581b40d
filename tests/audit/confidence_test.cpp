// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/confidence.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/table.hpp"

namespace doeblin::audit {
namespace {

using test::Row;

// One-sided against the truth, with a limit on what is given away.
TEST(Confidence, LowerBoundsAreBelowTheTruthAndClose) {
  const auto rows = test::read_table("binomial_lower.csv");
  ASSERT_GT(rows.size(), 60u);
  for (const Row& row : rows) {
    const double got = binomial_lower(row["successes"], row["trials"], row["failure"]);
    EXPECT_LE(got, row["truth_down"]) << row.text;
    EXPECT_GE(got, row["truth_down"] * (1.0 - 1e-6)) << row.text;
  }
}

TEST(Confidence, UpperBoundsAreAboveTheTruthAndClose) {
  for (const Row& row : test::read_table("binomial_upper.csv")) {
    const double got = binomial_upper(row["successes"], row["trials"], row["failure"]);
    EXPECT_GE(got, row["truth_up"]) << row.text;
    EXPECT_LE(got, row["truth_up"] * (1.0 + 1e-6)) << row.text;
  }
}

// Pr[Bin(n, p) = k] for all k.
std::vector<double> binomial(int n, double p) {
  std::vector<double> law(static_cast<std::size_t>(n) + 1);
  for (int k = 0; k <= n; ++k)
    law[static_cast<std::size_t>(k)] = std::exp(std::lgamma(n + 1.0) - std::lgamma(k + 1.0) - std::lgamma(n - k + 1.0) +
                                                k * std::log(p) + (n - k) * std::log1p(-p));
  return law;
}

// The chance that a bound is on the wrong side, as a sum over everything that can be seen.
TEST(Confidence, FailsNoMoreOftenThanIsAllowed) {
  for (const double failure : {0.2, 0.05, 1e-3})
    for (const int n : {1, 2, 5, 23, 60})
      for (const double p : {1e-3, 0.01, 0.1, 0.3, 0.5, 0.77, 0.99, 0.9999}) {
        const std::vector<double> law = binomial(n, p);
        double too_high = 0.0;
        double too_low = 0.0;
        for (int k = 0; k <= n; ++k) {
          if (binomial_lower(k, n, failure) > p) too_high += law[static_cast<std::size_t>(k)];
          if (binomial_upper(k, n, failure) < p) too_low += law[static_cast<std::size_t>(k)];
        }
        EXPECT_LE(too_high, failure) << n << " " << p;
        EXPECT_LE(too_low, failure) << n << " " << p;
      }
}

// And not much less often somewhere: at the bound itself the chance is all that is allowed.
TEST(Confidence, UsesWhatIsAllowed) {
  const double p = binomial_lower(7, 20, 0.05);
  const std::vector<double> law = binomial(20, p);
  double chance = 0.0;
  for (std::size_t k = 7; k <= 20; ++k) chance += law[k];
  EXPECT_NEAR(chance, 0.05, 1e-6);
}

TEST(Confidence, EndsAreWhatTheyMustBe) {
  EXPECT_EQ(binomial_lower(0, 100, 0.05), 0.0);
  EXPECT_EQ(binomial_upper(100, 100, 0.05), 1.0);
  EXPECT_EQ(binomial_lower(0, 0, 0.05), 0.0);
  EXPECT_EQ(binomial_upper(0, 0, 0.05), 1.0);
  EXPECT_NEAR(binomial_lower(100, 100, 0.05), std::pow(0.05, 0.01), 1e-7);
  EXPECT_NEAR(binomial_upper(0, 100, 0.05), 1.0 - std::pow(0.05, 0.01), 1e-7);
  EXPECT_GT(binomial_upper(0, 1e12, 1e-3), 0.0);
  EXPECT_LT(binomial_lower(1e12, 1e12, 1e-3), 1.0);
}

RC_GTEST_PROP(ConfidenceProperty, EnclosesTheShareAndIsMonotone, ()) {
  const double n = *rc::gen::inRange(1, 1000000);
  const double k = *rc::gen::inRange(0, static_cast<int>(n) + 1);
  const double failure = std::pow(10.0, -*rc::gen::inRange(1, 80) / 10.0) * 0.5;
  const double lower = binomial_lower(k, n, failure);
  const double upper = binomial_upper(k, n, failure);
  RC_ASSERT(0.0 <= lower && lower <= k / n && k / n <= upper && upper <= 1.0);
  RC_ASSERT(binomial_lower(k, n, failure / 2.0) <= lower);
  RC_ASSERT(binomial_upper(k, n, failure / 2.0) >= upper);
  if (k < n) RC_ASSERT(binomial_lower(k + 1.0, n, failure) > lower);
  // Successes and failures change places.
  RC_ASSERT(std::fabs(upper - (1.0 - binomial_lower(n - k, n, failure))) <= 2e-6 * upper);
}

TEST(Confidence, RefusesWhatIsNoCount) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(static_cast<void>(binomial_lower(3, 2, 0.05)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(binomial_lower(-1, 2, 0.05)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(binomial_upper(nan, 2, 0.05)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(binomial_upper(1, nan, 0.05)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(binomial_upper(1, 2, 0.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(binomial_upper(1, 2, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(binomial_lower(1, 2, nan)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::audit
