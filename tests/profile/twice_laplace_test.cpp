// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/twice_laplace.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/laplace.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

TwiceLaplace twice_laplace_of(const test::Row& row) { return {row["scale1"], row["scale2"], row["sensitivity"]}; }

TEST(TwiceLaplace, DeltaMatchesTheTable) {
  test::check_table("twice_laplace_delta.csv",
                    [](const test::Row& row) { return delta(twice_laplace_of(row), Epsilon(row["epsilon"])); },
                    {.relative_width = 1e-9});
}

TEST(TwiceLaplace, BelowTheDoublesUpperIsTheSmallestOne) {
  int seen = 0;
  for (const test::Row& row : test::read_table("twice_laplace_delta.csv")) {
    if (row["truth_up"] != rounding::kSmallest) continue;
    EXPECT_EQ(delta(twice_laplace_of(row), Epsilon(row["epsilon"])).upper(), rounding::kSmallest) << row.text;
    ++seen;
  }
  EXPECT_GT(seen, 5);
}

TEST(TwiceLaplace, EpsilonMatchesTheTable) {
  test::check_table("twice_laplace_epsilon.csv",
                    [](const test::Row& row) { return profile_of(twice_laplace_of(row)).epsilon(Delta(row["delta"])); },
                    {.relative_width = 1e-9});
}

TEST(TwiceLaplace, RenyiMatchesTheTable) {
  test::check_table("twice_laplace_rdp.csv",
                    [](const test::Row& row) { return renyi_of(twice_laplace_of(row)).at(Alpha(row["alpha"])); },
                    {.relative_width = 1.01e-6});
}

// The density of the sum of two Laplace noises (catalogue P6), integrated as the definition says.
RC_GTEST_PROP(TwiceLaplace, AgreesWithBruteForceIntegration, ()) {
  const double l1 = test::uniform(0.3, 3.0);
  const double l2 = l1 * test::uniform(0.2, 0.9);
  const double epsilon = test::uniform(0.0, 0.9) / std::max(l1, l2);
  const auto density = [&](double x) {
    const double sum = 1.0 / (l1 + l2);
    const double difference = 1.0 / (l1 - l2);
    return 0.25 *
           ((sum + difference) * std::exp(-std::fabs(x) / l1) + (sum - difference) * std::exp(-std::fabs(x) / l2));
  };
  constexpr int kCells = 400000;
  const double end = 40.0 * l1 + 1.0;
  const double h = (end + 39.0 * l1) / kCells;
  double truth = 0.0;
  for (int i = 0; i < kCells; ++i) {
    const double x = -39.0 * l1 + (i + 0.5) * h;
    truth += h * std::max(0.0, density(x - 1.0) - std::exp(epsilon) * density(x));
  }
  const Bracket got = delta(TwiceLaplace{l1, l2}, Epsilon(epsilon));
  // The midpoint rule is off by about h^2.
  RC_ASSERT(got.lower() <= truth + 1e-7);
  RC_ASSERT(got.upper() >= truth - 1e-7);
}

RC_GTEST_PROP(TwiceLaplace, HasTheShapeOfAProfile, ()) {
  const TwiceLaplace m{test::log_uniform(0.05, 1e2), test::log_uniform(0.05, 1e2)};
  test::check_profile(profile_of(m), 1.2 / std::max(m.scale1, m.scale2));
}

RC_GTEST_PROP(TwiceLaplace, PostProcessingNeverHurts, ()) {
  const double first = test::log_uniform(1e-3, 1e9);
  const double second = first * test::log_uniform(1e-6, 1e6);
  const double epsilon = test::uniform(0.0, 1.2) / first;
  const Bracket twice = delta(TwiceLaplace{first, second}, Epsilon(epsilon));
  RC_ASSERT(twice.lower() <= delta(Laplace{first}, Epsilon(epsilon)).upper());
  RC_ASSERT(twice.lower() <= delta(Laplace{second}, Epsilon(epsilon)).upper());
  RC_ASSERT(twice == delta(TwiceLaplace{second, first}, Epsilon(epsilon)));
}

RC_GTEST_PROP(TwiceLaplace, NoJumpWhereTheScalesMeet, ()) {
  const double scale = test::log_uniform(1e-3, 1e9);
  const double nudge = test::log_uniform(1e-16, 1e-10);
  const double epsilon = test::uniform(0.0, 0.8) / scale;
  const Bracket equal = delta(TwiceLaplace{scale, scale}, Epsilon(epsilon));
  const Bracket near = delta(TwiceLaplace{scale, scale * (1.0 - nudge)}, Epsilon(epsilon));
  RC_ASSERT(std::fabs(near.upper() - equal.upper()) <= 1e-8 * equal.upper());
}

TEST(TwiceLaplace, Edges) {
  EXPECT_EQ(delta(TwiceLaplace{1.0, 2.0}, Epsilon(0.5)), Bracket(0.0));
  EXPECT_GT(delta(TwiceLaplace{1.0, 2.0}, Epsilon(0.49)).lower(), 0.0);
  EXPECT_EQ(delta(TwiceLaplace{1.0, 2.0, 0.0}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(delta(TwiceLaplace{1.0, 2.0}, Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_EQ(renyi_of(TwiceLaplace{1.0, 2.0}).at(Alpha(rounding::kInfinity)), Bracket(0.5));
  EXPECT_LE(delta(TwiceLaplace{1.0, 1e-200}, Epsilon(0.5)).upper(), delta(Laplace{1.0}, Epsilon(0.5)).upper());
  for (const double bad : {0.0, -1.0, std::nan(""), rounding::kInfinity}) {
    EXPECT_THROW(static_cast<void>(delta(TwiceLaplace{bad, 1.0}, Epsilon(1.0))), InvalidArgument);
    EXPECT_THROW(static_cast<void>(delta(TwiceLaplace{1.0, bad}, Epsilon(1.0))), InvalidArgument);
  }
  for (const double scale : {1e-300, 1e-3, 1e9, 1e300})
    for (const double other : {1e-300, 1.0, 1e300})
      for (const double epsilon : {0.0, 1e-10, 1.0, 1e6}) {
        const Bracket got = delta(TwiceLaplace{scale, other}, Epsilon(epsilon));
        EXPECT_GE(got.lower(), 0.0);
        EXPECT_LE(got.upper(), 1.0);
      }
}

}  // namespace
}  // namespace doeblin
