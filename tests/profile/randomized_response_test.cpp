// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/randomized_response.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/renyi_curve.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

TEST(RandomizedResponse, DeltaMatchesTheTable) {
  for (const test::Row& row : test::read_table("randomized_response_delta.csv")) {
    const Bracket got = delta(RandomizedResponse{row["p"]}, Epsilon(row["epsilon"]));
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text << got;
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text << got;
    EXPECT_LE(got.width(), 4e-15 * (1.0 + row["epsilon"])) << row.text << got;
  }
}

TEST(RandomizedResponse, RenyiMatchesTheTable) {
  test::check_table("randomized_response_rdp.csv",
                    [](const test::Row& row) { return rdp(RandomizedResponse{row["p"]}, Alpha(row["alpha"])); },
                    {.relative_width = 1e-12});
}

RC_GTEST_PROP(RandomizedResponse, HasTheShapeOfAProfileAndIsSymmetric, ()) {
  const double p = test::uniform(0.01, 0.99);
  test::check_profile(profile_of(RandomizedResponse{p}), 6.0);
  test::check_renyi(renyi_of(RandomizedResponse{p}), 5.0);
  const double epsilon = test::uniform(0.0, 3.0);
  const Bracket a = delta(RandomizedResponse{p}, Epsilon(epsilon));
  const Bracket b = delta(RandomizedResponse{1.0 - p}, Epsilon(epsilon));
  RC_ASSERT(std::fabs(a.upper() - b.upper()) <= 1e-13);
}

// It is (eps0, delta0)-DP for p = (e^eps0 + delta0)/(e^eps0 + 1) (catalogue P3).
TEST(RandomizedResponse, ReachesTheLevelItIsCalibratedTo) {
  const double p = (std::exp(1.0) + 0.1) / (std::exp(1.0) + 1.0);
  const Bracket got = delta(RandomizedResponse{p}, Epsilon(1.0));
  EXPECT_LE(got.lower(), 0.1 + 1e-15);
  EXPECT_GE(got.upper(), 0.1 - 1e-15);
}

TEST(RandomizedResponse, Edges) {
  EXPECT_EQ(delta(RandomizedResponse{0.5}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(delta(RandomizedResponse{1.0}, Epsilon(1e6)), Bracket(1.0));
  EXPECT_EQ(rdp(RandomizedResponse{1.0}, Alpha(2.0)), Bracket(rounding::kInfinity));
  EXPECT_EQ(rdp(RandomizedResponse{0.5}, Alpha(2.0)), Bracket(0.0));
  EXPECT_EQ(delta(RandomizedResponse{0.75}, Epsilon(rounding::kInfinity)), Bracket(0.0));
  for (const double bad : {-0.1, 1.1, std::nan("")})
    EXPECT_THROW(static_cast<void>(delta(RandomizedResponse{bad}, Epsilon(1.0))), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
