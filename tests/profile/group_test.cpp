// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/group.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_point.hpp"
#include "doeblin/profile/twice_laplace.hpp"
#include "support/mechanism_properties.hpp"

namespace doeblin {
namespace {

double any_k() { return static_cast<double>(*rc::gen::inRange(1, 12)); }

// The black-box rule must cover mechanisms whose group guarantee is known exactly.
RC_GTEST_PROP(Group, BlackBoxCoversLaplace, ()) {
  const Laplace m{test::log_uniform(0.1, 100.0)};
  const double k = any_k();
  const double epsilon = test::uniform(0.0, 1.2 * k / m.scale);
  const Bracket truth = white_box_group(m, k).delta(Epsilon(epsilon));
  const Bracket got = black_box_group(profile_of(m), k).delta(Epsilon(epsilon));
  RC_ASSERT(got.upper() >= truth.lower());
  RC_ASSERT(got.lower() <= truth.upper());
}

RC_GTEST_PROP(Group, BlackBoxCoversGaussian, ()) {
  const Gdp level = Gdp::level(test::log_uniform(1e-3, 3.0));
  const double k = any_k();
  const double epsilon = test::log_uniform(1e-6, 100.0);
  const Bracket truth = delta(group(level, k), Epsilon(epsilon));
  const Bracket got = black_box_group(profile_of(level), k).delta(Epsilon(epsilon));
  RC_ASSERT(got.upper() >= truth.lower());
  RC_ASSERT(got.lower() <= truth.upper());
}

RC_GTEST_PROP(Group, AGroupIsNeverMorePrivateThanOnePerson, ()) {
  const TwiceLaplace m{test::log_uniform(0.1, 10.0), test::log_uniform(0.1, 10.0)};
  const double epsilon = test::uniform(0.0, 2.0);
  const Bracket one = delta(m, Epsilon(epsilon));
  RC_ASSERT(white_box_group(m, any_k()).delta(Epsilon(epsilon)).upper() >= one.lower());
  RC_ASSERT(white_box_group_renyi(m, 1.0).at(Alpha(2.0)).upper() > 0.0);
}

TEST(Group, WhiteBoxIsTheSensitivityTimesK) {
  EXPECT_EQ(white_box_group(Laplace{2.0}, 3.0).delta(Epsilon(1.0)), delta(Laplace{2.0, 3.0}, Epsilon(1.0)));
  EXPECT_EQ(white_box_group_renyi(Laplace{2.0}, 3.0).at(Alpha(2.0)), rdp(Laplace{2.0, 3.0}, Alpha(2.0)));
  EXPECT_EQ(white_box_group(DiscreteLaplace{2.0, 2.0}, 3.0).delta(Epsilon(1.0)),
            delta(DiscreteLaplace{2.0, 6.0}, Epsilon(1.0)));
}

TEST(Group, AnInexactProductIsBracketedFromBothSides) {
  const Laplace m{1.0, 0.1};
  const Bracket got = white_box_group(m, 3.0).delta(Epsilon(0.1));
  EXPECT_LE(got.lower(), delta(Laplace{1.0, rounding::mul_down(0.1, 3.0)}, Epsilon(0.1)).lower());
  EXPECT_GE(got.upper(), delta(Laplace{1.0, rounding::mul_up(0.1, 3.0)}, Epsilon(0.1)).upper());
  EXPECT_EQ(white_box_group_renyi(m, 3.0).at(Alpha(rounding::kInfinity)).upper(), rounding::mul_up(0.1, 3.0));
}

TEST(Group, BlackBoxLimitAtZeroIsK) {
  const Profile profile([](Epsilon) { return Bracket(0.125); }, {.loss_bound = 0.0});
  EXPECT_EQ(black_box_group(profile, 3.0).delta(Epsilon(0.0)).upper(), 0.375);
}

TEST(Group, BlackBoxNeverGrowsWithEpsilon) {
  const Profile grouped = black_box_group(profile_of(BlackBox{1.0, 1e-6}), 3.0);
  const double at_bound = grouped.delta(Epsilon(3.0)).upper();
  EXPECT_LE(grouped.delta(Epsilon(30.0)).upper(), at_bound);
  EXPECT_LE(at_bound, 1e-6 * (1.0 + std::exp(1.0) + std::exp(2.0)) * (1 + 1e-12));
  EXPECT_GE(at_bound, 1e-6 * (1.0 + std::exp(1.0) + std::exp(2.0)));
}

TEST(Group, APureMechanismStaysPure) {
  const BlackBox pure{0.5};
  const Profile grouped = black_box_group(profile_of(pure), 3.0);
  EXPECT_EQ(grouped.delta(Epsilon(1.5)), Bracket(0.0));
  EXPECT_LE(grouped.delta(Epsilon(0.1)).upper(), delta(BlackBox{1.5}, Epsilon(0.1)).upper());
  const RenyiCurve curve = black_box_group_renyi(profile_of(pure), renyi_of(pure), 3.0);
  EXPECT_EQ(curve.at(Alpha(rounding::kInfinity)).upper(), 1.5);
  EXPECT_EQ(curve.at(Alpha(2.0)).upper(), rdp(BlackBox{1.5}, Alpha(2.0)).upper());
  const BlackBox leaky{0.5, 1e-6};
  const RenyiCurve unknown = black_box_group_renyi(profile_of(leaky), renyi_of(leaky), 3.0);
  EXPECT_EQ(unknown.at(Alpha(2.0)).upper(), rounding::kInfinity);
  EXPECT_EQ(unknown.traits().largest_order, 1.0);
}

// The truth for k people is k^2 times as much; one order says nothing about larger ones.
TEST(Group, BlackBoxRenyiHoldsForGaussianNoise) {
  const Gdp base = Gdp::level(0.4);
  for (const double k : {2.0, 3.0, 4.0, 7.0, 8.0})
    for (const double alpha : {1.2, 2.0, 5.0}) {
      const Bracket found = black_box_group_renyi(profile_of(base), renyi_of(base), k).at(Alpha(alpha));
      const double truth = k * k * alpha * 0.08;
      EXPECT_GE(found.upper(), truth);
      EXPECT_LE(found.upper(), 6.0 * truth * std::log2(k) + 2.0);
      EXPECT_LE(found.lower(), truth);
    }
  const RenyiPoint point{8.0, 0.5};
  const RenyiCurve two = black_box_group_renyi(profile_of(point), renyi_of(point), 2.0);
  EXPECT_NEAR(two.at(Alpha(3.0)).upper(), 2.5 / 2.0 * 0.5 + 0.5, 1e-12);
  EXPECT_TRUE(std::isinf(two.at(Alpha(4.5)).upper()));
  EXPECT_EQ(two.traits().largest_order, 4.0);
}

TEST(Group, AnUnboundedProfileStillHasAFiniteEpsilon) {
  // Past the end of the doubles the growth factor alone would say 1.
  const Profile grouped = black_box_group(profile_of(RenyiPoint{8.0, 0.5}), 2.0);
  EXPECT_LE(grouped.epsilon(Delta(0.01)).upper(), 2.0);
  EXPECT_LE(grouped.delta(Epsilon(rounding::kInfinity)).upper(), 1e-200);
}

TEST(Group, Edges) {
  const Profile profile = profile_of(Laplace{1.0});
  for (const double bad : {0.0, -1.0, 1.5, std::nan(""), rounding::kInfinity}) {
    EXPECT_THROW(static_cast<void>(black_box_group(profile, bad)), InvalidArgument);
    EXPECT_THROW(static_cast<void>(white_box_group(Laplace{1.0}, bad)), InvalidArgument);
  }
  EXPECT_EQ(black_box_group(profile, 1.0).delta(Epsilon(0.5)), profile.delta(Epsilon(0.5)));
  EXPECT_EQ(black_box_group(profile, 3.0).delta(Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_LE(black_box_group(profile_of(Gdp::level(1.0)), 1e6).delta(Epsilon(1e300)).upper(), 1.0);
}

}  // namespace
}  // namespace doeblin
