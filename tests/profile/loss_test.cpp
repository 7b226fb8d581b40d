// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/loss.hpp"

#include <gtest/gtest.h>

#include "doeblin/numerics/mills.hpp"
#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

// For N(mu, 1) against N(0, 1): Pr[L > eps] = Q(eps/mu - mu/2), Pr[L' < -eps] = Q(eps/mu + mu/2).
LossTails gaussian_tails(double mu, double epsilon) {
  const Bracket ratio = Bracket(epsilon) / mu;
  const Bracket a = ratio - Bracket(mu) / 2.0;
  const Bracket b = ratio + Bracket(mu) / 2.0;
  const auto tail = [](const Bracket& x) {
    return Bracket(numerics::normal_tail(x.upper()).lower(), numerics::normal_tail(x.lower()).upper());
  };
  return {tail(a), tail(b)};
}

RC_GTEST_PROP(Loss, TailsGiveTheProfile, ()) {
  const double mu = test::log_uniform(0.3, 5.0);
  const double epsilon = test::uniform(0.01, 3.0) * mu;
  const Bracket direct = delta(Gdp::level(mu), Epsilon(epsilon));
  const Bracket from_tails = delta_from_loss(gaussian_tails(mu, epsilon), Epsilon(epsilon));
  RC_ASSERT(from_tails.lower() <= direct.upper());
  RC_ASSERT(from_tails.upper() >= direct.lower());
  RC_ASSERT(from_tails.width() <= 1e-11);
}

RC_GTEST_PROP(Loss, ProfileGivesTheTails, ()) {
  const double mu = test::log_uniform(0.3, 5.0);
  const double epsilon = test::uniform(0.05, 3.0) * mu;
  const LossTails truth = gaussian_tails(mu, epsilon);
  const LossTails got = loss_from_profile(profile_of(Gdp::level(mu)), Epsilon(epsilon));
  RC_ASSERT(got.below.lower() <= truth.below.upper() && got.below.upper() >= truth.below.lower());
  RC_ASSERT(got.above.lower() <= truth.above.upper() && got.above.upper() >= truth.above.lower());
  RC_ASSERT(got.above.width() <= 1e-4);
}

TEST(Loss, AtAnAtomBothSidesAreCovered) {
  // Randomised response has an atom of mass p at log(p/(1-p)) = log 3.
  const LossTails got = loss_from_profile(profile_of(RandomizedResponse{0.75}), Epsilon(std::log(3.0)));
  EXPECT_LE(got.below.lower(), 1e-6);
  EXPECT_GE(got.below.upper(), 0.25 - 1e-6);
}

TEST(Loss, Edges) {
  const Profile profile = profile_of(Gdp::level(1.0));
  EXPECT_THROW(static_cast<void>(loss_from_profile(profile, Epsilon(0.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(loss_from_profile(profile, Epsilon(701.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(loss_from_profile(profile, Epsilon(1.0), 0.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(loss_from_profile(profile, Epsilon(1.0), 1e-17)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
