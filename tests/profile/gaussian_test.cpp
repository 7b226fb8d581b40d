// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/gaussian.hpp"

#include <gtest/gtest.h>

#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

TEST(Gaussian, DeltaMatchesTheTable) {
  test::check_table("gaussian_delta.csv",
                    [](const test::Row& row) {
                      return delta(gdp(Gaussian{row["sigma"], row["sensitivity"]}), Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-11});
}

TEST(Gaussian, EpsilonMatchesTheTable) {
  for (const test::Row& row : test::read_table("gaussian_epsilon.csv")) {
    const Profile profile = profile_of(gdp(Gaussian{row["sigma"], row["sensitivity"]}));
    const Bracket got = profile.epsilon(Delta(row["delta"]));
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text << got;
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text << got;
    // Within 1e-4 of delta(0), epsilon is a small difference that delta's last digits decide; the same next to 1.
    const double at_zero = profile.delta(Epsilon(0.0)).upper();
    if (row["delta"] > at_zero * (1.0 - 1e-4) || row["delta"] > 1.0 - 1e-9) continue;
    EXPECT_LE(got.relative_width(), 1e-9) << row.text << got;
  }
}

RC_GTEST_PROP(Gaussian, MoreNoiseIsMorePrivate, ()) {
  const double sigma = test::log_uniform(1e-3, 1e9);
  const double epsilon = test::log_uniform(1e-9, 10.0) / sigma;
  const Bracket less = delta(gdp(Gaussian{sigma}), Epsilon(epsilon));
  const Bracket more = delta(gdp(Gaussian{sigma * (1.0 + test::log_uniform(1e-6, 10.0))}), Epsilon(epsilon));
  RC_ASSERT(more.lower() <= less.upper());
}

TEST(Gaussian, RefusesWhatIsNoNoise) {
  for (const double bad : {0.0, -1.0, rounding::kInfinity, std::nan("")})
    EXPECT_THROW(static_cast<void>(gdp(Gaussian{bad})), InvalidArgument) << bad;
  EXPECT_THROW(static_cast<void>(gdp(Gaussian{1.0, -1.0})), InvalidArgument);
  EXPECT_TRUE(gdp(Gaussian{1.0, 0.0}).mu.is_zero());
}

TEST(Gaussian, ExtremeParametersStayInRange) {
  for (const double sigma : {1e-300, 1e-3, 1.0, 1e9, 1e300})
    for (const double sensitivity : {0.0, 1e-300, 1.0, 1e300})
      for (const double epsilon : {0.0, 1e-300, 1e-9, 1.0, 1e6, 1e300, rounding::kInfinity}) {
        const Bracket got = delta(gdp(Gaussian{sigma, sensitivity}), Epsilon(epsilon));
        EXPECT_GE(got.lower(), 0.0);
        EXPECT_LE(got.upper(), 1.0);
      }
}

}  // namespace
}  // namespace doeblin
