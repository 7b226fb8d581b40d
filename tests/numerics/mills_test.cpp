// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/mills.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin::numerics {
namespace {

TEST(Mills, RatioMatchesTheTable) {
  test::check_table("mills.csv", [](const test::Row& row) { return mills_ratio(row["x"]); }, {.relative_width = 2e-15});
}

TEST(Mills, LogTailMatchesTheTable) {
  for (const test::Row& row : test::read_table("normal_tail_log.csv")) {
    const Bracket got = log_normal_tail(row["x"]);
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text;
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text;
    if (std::fabs(row["truth_up"]) > 1e-290) EXPECT_LE(got.width(), 1e-12 * std::fabs(row["truth_down"])) << row.text;
  }
}

RC_GTEST_PROP(Mills, TailAgreesWithTheLibraryInExtendedPrecision, ()) {
  const double x = test::uniform(-30.0, 30.0);
  const long double truth = 0.5L * std::erfc(static_cast<long double>(x) / std::sqrt(2.0L));
  const Bracket got = normal_tail(x);
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth * (1 + 1e-15L));
  RC_ASSERT(static_cast<long double>(got.upper()) >= truth * (1 - 1e-15L));
  RC_ASSERT(got.relative_width() <= 1e-11);
}

RC_GTEST_PROP(Mills, RatioDecreases, ()) {
  const double x = test::log_uniform(1e-5, 1e9);
  const double y = x * (1.0 + test::log_uniform(1e-10, 1.0));
  RC_ASSERT(mills_ratio(y).lower() <= mills_ratio(x).upper());
}

TEST(Mills, Edges) {
  EXPECT_EQ(mills_ratio(rounding::kInfinity), Bracket(0.0));
  EXPECT_THROW(static_cast<void>(mills_ratio(-1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(mills_ratio(std::nan(""))), InvalidArgument);
  EXPECT_GT(mills_ratio(1e300).lower(), 0.0);
  // R(x) < 1/x, and 1/x is subnormal here.
  EXPECT_LE(mills_ratio(1.59318952064903e+308).lower(), rounding::div_down(1.0, 1.59318952064903e+308));
  EXPECT_EQ(log_normal_tail(-rounding::kInfinity), Bracket(0.0));
  EXPECT_EQ(log_normal_tail(rounding::kInfinity), Bracket(-rounding::kInfinity));
  EXPECT_THROW(static_cast<void>(log_normal_tail(std::nan(""))), InvalidArgument);
  EXPECT_EQ(normal_tail(1e5), Bracket(0.0, rounding::kSmallest));
}

}  // namespace
}  // namespace doeblin::numerics
