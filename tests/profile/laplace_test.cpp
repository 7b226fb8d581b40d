// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/laplace.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/renyi_curve.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

Laplace laplace_of(const test::Row& row) { return {row["scale"], row["sensitivity"]}; }

TEST(Laplace, DeltaMatchesTheTable) {
  test::check_table("laplace_delta.csv",
                    [](const test::Row& row) { return delta(laplace_of(row), Epsilon(row["epsilon"])); },
                    {.relative_width = 1e-12});
}

TEST(Laplace, EpsilonMatchesTheTable) {
  for (const test::Row& row : test::read_table("laplace_epsilon.csv")) {
    const Profile profile = profile_of(laplace_of(row));
    // A row with delta = 0 asks for the pure-DP level.
    const Bracket got =
        row["delta"] == 0.0 ? rdp(laplace_of(row), Alpha(rounding::kInfinity)) : profile.epsilon(Delta(row["delta"]));
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text << got;
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text << got;
    if (row["delta"] > profile.delta(Epsilon(0.0)).upper() * (1.0 - 1e-4) || row["delta"] > 1.0 - 1e-9) continue;
    EXPECT_LE(got.relative_width(), 1e-9) << row.text << got;
  }
}

TEST(Laplace, RenyiMatchesTheTable) {
  test::check_table("laplace_rdp.csv", [](const test::Row& row) { return rdp(laplace_of(row), Alpha(row["alpha"])); },
                    {.relative_width = 1e-13});
}

TEST(Laplace, SignOfTheExponentIsTheCorrectedOne) {
  // Catalogue E: the published sign gives 0 here.
  const Bracket got = delta(Laplace{1.0}, Epsilon(0.5));
  EXPECT_LE(got.lower(), 0.22119921692859513);
  EXPECT_GE(got.upper(), 0.22119921692859512);
}

RC_GTEST_PROP(Laplace, HasTheShapeOfAProfile, ()) {
  const Laplace m{test::log_uniform(0.05, 1e3)};
  test::check_profile(profile_of(m), 1.2 / m.scale);
  test::check_renyi(renyi_of(m), 1.0 / m.scale);
}

TEST(Laplace, PureLevelIsExact) {
  EXPECT_EQ(delta(Laplace{0.5}, Epsilon(2.0)), Bracket(0.0));
  EXPECT_GT(delta(Laplace{0.5}, Epsilon(rounding::next_down(2.0))).lower(), 0.0);
  EXPECT_EQ(rdp(Laplace{0.5}, Alpha(rounding::kInfinity)), Bracket(2.0));
}

TEST(Laplace, Edges) {
  EXPECT_EQ(delta(Laplace{1.0, 0.0}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(rdp(Laplace{1.0, 0.0}, Alpha(2.0)), Bracket(0.0));
  EXPECT_EQ(delta(Laplace{1.0}, Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_GE(delta(Laplace{1e-300, 1e300}, Epsilon(1.0)).lower(), 0.999);
  EXPECT_THROW(static_cast<void>(delta(Laplace{0.0}, Epsilon(1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(delta(Laplace{std::nan("")}, Epsilon(1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(delta(Laplace{1.0, -1.0}, Epsilon(1.0))), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
