// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_to_profile.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_conversion.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

RC_GTEST_PROP(RenyiToProfile, UpperBoundsEveryMechanismWithThatCurve, ()) {
  const double mu = test::log_uniform(0.1, 3.0);
  const Gdp level = Gdp::level(mu);
  const Profile through_renyi = profile_from_renyi(renyi_of(level), profile_of(level));
  const double delta = test::log_uniform(1e-20, 0.1);
  const Bracket truth = profile_of(level).epsilon(Delta(delta));
  const Bracket got = through_renyi.epsilon(Delta(delta));
  RC_ASSERT(got.upper() >= truth.lower());
  RC_ASSERT(got.lower() <= truth.upper());
  // The loss of the detour is modest, so that a broken conversion shows.
  RC_ASSERT(got.upper() <= 1.5 * truth.upper() + 0.4 * mu);
}

TEST(RenyiToProfile, PureCurveRecoversThePureLevel) {
  const Laplace m{1.0};
  const Profile got = profile_from_renyi(renyi_of(m), profile_of(m));
  EXPECT_LE(got.epsilon(Delta(1e-12)).upper(), 1.0 + 1e-8);
}

// A curve that ends at some order is used up to and including that order.
TEST(RenyiToProfile, UsesTheLargestOrder) {
  const RenyiPoint point{3.7, 0.4};
  const Profile none([](Epsilon) { return Bracket(0.0); });
  const Profile got = profile_from_renyi(renyi_of(point), none);
  EXPECT_EQ(got.epsilon(Delta(1e-6)).upper(), optimal_epsilon(point, Delta(1e-6)).upper());
}

TEST(RenyiToProfile, AnOrderNextToOne) {
  const Profile none([](Epsilon) { return Bracket(0.0); });
  EXPECT_NO_THROW(static_cast<void>(
      profile_from_renyi(renyi_of(RenyiPoint{rounding::next_up(1.0), 1.0}), none).delta(Epsilon(1.0))));
}

TEST(RenyiToProfile, NothingKnownMeansNothingPromised) {
  const RenyiCurve unknown([](Alpha) { return Bracket(rounding::kInfinity); });
  const Profile none([](Epsilon) { return Bracket(0.0); });
  EXPECT_EQ(profile_from_renyi(unknown, none).delta(Epsilon(1.0)).upper(), 1.0);
  EXPECT_EQ(profile_from_renyi(unknown, none).delta(Epsilon(rounding::kInfinity)).upper(), 1.0);
  EXPECT_EQ(profile_from_renyi(unknown, none).epsilon(Delta(0.1)).upper(), rounding::kInfinity);
}

TEST(RenyiToProfile, ACurveWithoutOrdersBoundsNothing) {
  for (const RenyiRule rule : {RenyiRule::kOptimal, RenyiRule::kTextbook, RenyiRule::kCanonneKamathSteinke}) {
    const Profile nothing = profile_from_renyi(unknown_renyi(), profile_of(Laplace{1.0}), rule);
    EXPECT_EQ(nothing.epsilon(Delta(1e-5)).upper(), rounding::kInfinity);
    EXPECT_EQ(nothing.delta(Epsilon(0.5)).upper(), 1.0);
    EXPECT_EQ(nothing.delta(Epsilon(0.5)).lower(), delta(Laplace{1.0}, Epsilon(0.5)).lower());
  }
}

}  // namespace
}  // namespace doeblin
