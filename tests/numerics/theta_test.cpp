// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/theta.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin::numerics {
namespace {

using rounding::kInfinity;
using rounding::kSmallest;

Wide level(const test::Row& row) { return ratio(row["sensitivity"], row["sigma"]); }

TEST(Theta, MatchesTheTable) {
  test::check_table("gaussian_delta.csv", [](const test::Row& row) { return theta(row["epsilon"], level(row)); },
                    {.relative_width = 5e-14});
}

TEST(Theta, BelowTheDoublesUpperIsTheSmallestOne) {
  int seen = 0;
  for (const test::Row& row : test::read_table("gaussian_delta.csv")) {
    if (row["truth_up"] != kSmallest) continue;
    EXPECT_EQ(theta(row["epsilon"], level(row)), Bracket(0.0, kSmallest)) << row.text;
    ++seen;
  }
  EXPECT_GT(seen, 10);
}

TEST(Theta, LogMatchesTheTable) {
  for (const test::Row& row : test::read_table("gaussian_delta.csv")) {
    const Bracket got = log_theta(row["epsilon"], level(row));
    EXPECT_LE(got.lower(), row["log_down"]) << row.text << got;
    EXPECT_GE(got.upper(), row["log_up"]) << row.text << got;
    if (std::isfinite(row["log_down"]) && level(row).hi > 1e-270)
      EXPECT_LE(got.width(), 1e-13 * std::max(1.0, std::fabs(row["log_down"]))) << row.text;
  }
}

RC_GTEST_PROP(Theta, AgreesWithTheDefinitionInExtendedPrecision, ()) {
  // Away from cancellation and overflow Q(a) - e^eps Q(b) can be computed as it stands.
  const double r = test::log_uniform(0.3, 20.0);
  const double epsilon = test::uniform(0.0, std::min(40.0, r * (r / 2 + 5.0)));
  const auto tail = [](long double x) { return 0.5L * std::erfc(x / std::sqrt(2.0L)); };
  const long double m = static_cast<long double>(epsilon) / r;
  const long double first = tail(m - r / 2.0L);
  const long double truth = first - std::exp(static_cast<long double>(epsilon)) * tail(m + r / 2.0L);
  const long double slack = first * 1e-17L * (1 + epsilon);
  const Bracket got = theta(epsilon, Wide(r));
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth + slack);
  RC_ASSERT(static_cast<long double>(got.upper()) >= truth - slack);
}

RC_GTEST_PROP(Theta, MonotoneInBothArguments, ()) {
  const double r = test::log_uniform(1e-9, 1e3);
  const double epsilon = r * test::log_uniform(1e-6, 40.0);
  const double more = 1.0 + test::log_uniform(1e-9, 1.0);
  RC_ASSERT(theta(epsilon * more, Wide(r)).lower() <= theta(epsilon, Wide(r)).upper());
  RC_ASSERT(theta(epsilon, Wide(r)).lower() <= theta(epsilon, Wide(r * more)).upper());
}

RC_GTEST_PROP(Theta, UncertainArgumentsWidenTheBracket, ()) {
  const double r = test::log_uniform(1e-5, 1e2);
  const double epsilon = r * test::log_uniform(1e-3, 10.0);
  const double error = r * test::log_uniform(1e-32, 1e-3);
  const Bracket fuzzy = theta(epsilon, Wide(r, 0.0, error));
  RC_ASSERT(fuzzy.lower() <= theta(epsilon, Wide(r - error)).upper());
  RC_ASSERT(fuzzy.upper() >= theta(epsilon, Wide(r + error)).lower());
  RC_ASSERT(fuzzy.lower() <= theta(epsilon, Wide(r)).lower() * (1 + 1e-12));
}

TEST(Theta, Edges) {
  EXPECT_EQ(theta(1.0, Wide()), Bracket(0.0));
  EXPECT_EQ(theta(kInfinity, Wide(1.0)), Bracket(0.0));
  EXPECT_EQ(theta(0.0, Wide(1e-320)).upper() > 0.0, true);
  EXPECT_EQ(theta(1.0, ratio(1e300, 1e-300)).upper(), 1.0);
  EXPECT_GE(theta(1.0, ratio(1e300, 1e-300)).lower(), 1.0 - 1e-15);
  EXPECT_GE(theta(1e308, Wide(1e300)).lower(), 0.99);
  EXPECT_EQ(theta(1e308, Wide(1e-300)), Bracket(0.0, kSmallest));
  EXPECT_EQ(theta(kSmallest, Wide(kSmallest)).lower(), 0.0);
  EXPECT_THROW(static_cast<void>(theta(-1.0, Wide(1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(theta(std::nan(""), Wide(1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(theta(1.0, Wide(std::nan("")))), InvalidArgument);
  EXPECT_EQ(log_theta(1.0, Wide()), Bracket(-kInfinity));
  EXPECT_LE(log_theta(0x1p-150, Wide(0x1p-600)).upper(), -1e100);
  EXPECT_EQ(theta(0.0, Wide(kInfinity, 0.0, kInfinity)), Bracket(0.0, 1.0));
}

TEST(Theta, FarTailInLogSpace) {
  // 60-digit mpmath: log of Gaussian delta at sigma = 1, epsilon = 50.
  const Bracket got = log_theta(50.0, Wide(1.0));
  EXPECT_LE(got.lower(), -1233.8690831424055);
  EXPECT_GE(got.upper(), -1233.8690831424056);
}

}  // namespace
}  // namespace doeblin::numerics
