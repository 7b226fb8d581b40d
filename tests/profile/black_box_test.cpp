// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/black_box.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/randomized_response.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

TEST(BlackBox, DeltaMatchesTheTable) {
  test::check_table("black_box_delta.csv",
                    [](const test::Row& row) {
                      return delta(BlackBox{row["epsilon0"], row["delta0"]}, Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-14});
}

RC_GTEST_PROP(BlackBox, HasTheShapeOfAProfile, ()) {
  const BlackBox m{test::log_uniform(1e-3, 20.0), *rc::gen::element(0.0, 1e-6, 0.1)};
  test::check_profile(profile_of(m), 1.2 * m.epsilon);
}

// Randomised response is the worst eps0-DP mechanism: the second route to the same numbers.
RC_GTEST_PROP(BlackBox, EqualsRandomisedResponseWhenPure, ()) {
  const double p = test::uniform(0.51, 0.99);
  const double epsilon0 = std::log(p / (1.0 - p));
  const double epsilon = test::uniform(0.0, epsilon0);
  const Bracket box = delta(BlackBox{epsilon0}, Epsilon(epsilon));
  RC_ASSERT(std::fabs(box.upper() - delta(RandomizedResponse{p}, Epsilon(epsilon)).upper()) <= 1e-14);
  const double alpha = 1.0 + test::log_uniform(0.01, 100.0);
  const Bracket divergence = rdp(BlackBox{epsilon0}, Alpha(alpha));
  RC_ASSERT(std::fabs(divergence.upper() - rdp(RandomizedResponse{p}, Alpha(alpha)).upper()) <=
            1e-12 * (1.0 + epsilon0));
}

TEST(BlackBox, StaysAtDeltaZeroBeyondItsEpsilon) {
  EXPECT_EQ(delta(BlackBox{1.0, 1e-6}, Epsilon(1.0)), Bracket(1e-6));
  EXPECT_EQ(delta(BlackBox{1.0, 1e-6}, Epsilon(rounding::kInfinity)), Bracket(1e-6));
  EXPECT_EQ(profile_of(BlackBox{1.0, 1e-6}).epsilon(Delta(1e-7)), Bracket(rounding::kInfinity));
  EXPECT_EQ(profile_of(BlackBox{1.0, 1e-6}).epsilon(Delta(1e-6)).upper(), 1.0);
  EXPECT_EQ(rdp(BlackBox{1.0, 1e-6}, Alpha(2.0)), Bracket(rounding::kInfinity));
}

TEST(BlackBox, Edges) {
  EXPECT_EQ(delta(BlackBox{0.0}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(delta(BlackBox{0.0, 1.0}, Epsilon(0.0)), Bracket(1.0));
  for (const double bad : {-1.0, std::nan(""), rounding::kInfinity})
    EXPECT_THROW(static_cast<void>(delta(BlackBox{bad}, Epsilon(1.0))), InvalidArgument);
  for (const double bad : {-1.0, std::nan(""), 1.5})
    EXPECT_THROW(static_cast<void>(delta(BlackBox{1.0, bad}, Epsilon(1.0))), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
