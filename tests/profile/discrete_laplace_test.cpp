// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/discrete_laplace.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

DiscreteLaplace discrete_laplace_of(const test::Row& row) { return {row["scale"], row["sensitivity"]}; }

TEST(DiscreteLaplace, DeltaMatchesTheTable) {
  test::check_table("discrete_laplace_delta.csv",
                    [](const test::Row& row) { return delta(discrete_laplace_of(row), Epsilon(row["epsilon"])); },
                    {.relative_width = 1e-12});
}

TEST(DiscreteLaplace, RenyiMatchesTheTable) {
  test::check_table("discrete_laplace_rdp.csv",
                    [](const test::Row& row) { return rdp(discrete_laplace_of(row), Alpha(row["alpha"])); },
                    {.relative_width = 1e-9});
}

RC_GTEST_PROP(DiscreteLaplace, AgreesWithTheDirectSum, ()) {
  const double scale = test::log_uniform(0.1, 10.0);
  const int D = *rc::gen::inRange(1, 8);
  const double epsilon = test::uniform(0.0, 1.1 * D / scale);
  const double t = std::exp(-1.0 / scale);
  const auto mass = [&](int x) { return (1.0 - t) / (1.0 + t) * std::pow(t, std::abs(x)); };
  double truth = 0.0;
  for (int x = -500; x <= 500; ++x) truth += std::max(0.0, mass(x - D) - std::exp(epsilon) * mass(x));
  const Bracket got = delta(DiscreteLaplace{scale, static_cast<double>(D)}, Epsilon(epsilon));
  RC_ASSERT(got.lower() <= truth + 1e-13);
  RC_ASSERT(got.upper() >= truth - 1e-13);
}

RC_GTEST_PROP(DiscreteLaplace, HasTheShapeOfAProfile, ()) {
  const DiscreteLaplace m{test::log_uniform(0.1, 1e3), static_cast<double>(*rc::gen::inRange(1, 20))};
  test::check_profile(profile_of(m), 1.2 * m.sensitivity / m.scale);
  test::check_renyi(renyi_of(m), m.sensitivity / m.scale);
}

TEST(DiscreteLaplace, ApproachesTheContinuousOneForALargeScale) {
  const Bracket fine = delta(DiscreteLaplace{1e6, 1e6}, Epsilon(0.25));
  const Bracket continuous = delta(Laplace{1.0}, Epsilon(0.25));
  EXPECT_NEAR(fine.upper(), continuous.upper(), 1e-6);
}

TEST(DiscreteLaplace, NextToThePureLevelOfALittleNoise) {
  // Neighbouring jumps of the loss are 2000 apart: only one of them can be the right one.
  const Bracket got = delta(DiscreteLaplace{0.001, 5.0}, Epsilon(4999.99999999999));
  EXPECT_LE(got.upper(), 1e-11);
  EXPECT_GT(got.lower(), 9e-12);
}

TEST(DiscreteLaplace, ALossBeyondTheDoubles) {
  EXPECT_GE(delta(DiscreteLaplace{1.2e-308, 3.0}, Epsilon(9.55e307)).lower(), 0.999);
  EXPECT_EQ(profile_of(DiscreteLaplace{1.2e-308, 3.0}).epsilon(Delta(0.5)).upper(), rounding::kInfinity);
}

TEST(DiscreteLaplace, RenyiNeverExceedsThePureLevel) {
  EXPECT_LE(rdp(DiscreteLaplace{1e9, 1000000007.0}, Alpha(1e12)).upper(), 1.000001);
}

TEST(DiscreteLaplace, Edges) {
  EXPECT_EQ(delta(DiscreteLaplace{1.0, 0.0}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(delta(DiscreteLaplace{0.5, 1.0}, Epsilon(2.0)), Bracket(0.0));
  EXPECT_EQ(delta(DiscreteLaplace{0.5, 1.0}, Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_EQ(rdp(DiscreteLaplace{0.5, 1.0}, Alpha(rounding::kInfinity)), Bracket(2.0));
  EXPECT_THROW(static_cast<void>(delta(DiscreteLaplace{1.0, 1.5}, Epsilon(1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(delta(DiscreteLaplace{0.0}, Epsilon(1.0))), InvalidArgument);
  // More atoms than are summed one by one: the C2 route.
  const DiscreteLaplace many{1e7, 0x1p21};
  const Bracket by_quadrature = rdp(many, Alpha(2.0));
  EXPECT_LE(by_quadrature.relative_width(), 1e-5);
  EXPECT_NEAR(by_quadrature.upper(), rdp(Laplace{1e7, 0x1p21}, Alpha(2.0)).upper(), 1e-6);
}

}  // namespace
}  // namespace doeblin
