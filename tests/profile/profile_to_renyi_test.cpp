// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile_to_renyi.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

// Closed forms are the second route; C2 must enclose them.
template <typename M>
void expect_encloses_closed_form(const M& mechanism, double alpha, double width) {
  const Bracket truth = rdp(mechanism, Alpha(alpha));
  const Bracket got = renyi_from_profile(profile_of(mechanism)).at(Alpha(alpha));
  RC_ASSERT(got.lower() <= truth.upper());
  RC_ASSERT(got.upper() >= truth.lower());
  RC_ASSERT(got.relative_width() <= width);
}

RC_GTEST_PROP(ProfileToRenyi, Gaussian, ()) {
  expect_encloses_closed_form(Gdp::level(test::log_uniform(1e-3, 3.0)), 1.0 + test::log_uniform(0.1, 10.0), 1e-5);
}

RC_GTEST_PROP(ProfileToRenyi, Laplace, ()) {
  expect_encloses_closed_form(Laplace{test::log_uniform(0.1, 1e3)}, 1.0 + test::log_uniform(0.01, 50.0), 1e-5);
}

RC_GTEST_PROP(ProfileToRenyi, RandomizedResponse, ()) {
  expect_encloses_closed_form(RandomizedResponse{test::uniform(0.51, 0.99)}, 1.0 + test::log_uniform(0.01, 50.0), 1e-4);
}

RC_GTEST_PROP(ProfileToRenyi, DiscreteLaplace, ()) {
  expect_encloses_closed_form(DiscreteLaplace{test::log_uniform(0.2, 100.0), 3.0}, 1.0 + test::log_uniform(0.01, 20.0),
                              1e-4);
}

TEST(ProfileToRenyi, OneOrderAfterAnotherUsesTheSameSamples) {
  int evaluations = 0;
  const Profile counted([&](Epsilon epsilon) { return ++evaluations, delta(Laplace{1.0}, epsilon); },
                        {.loss_bound = 1.0});
  const RenyiCurve curve = renyi_from_profile(counted);
  static_cast<void>(curve.at(Alpha(2.0)));
  const int first = evaluations;
  static_cast<void>(curve.at(Alpha(2.5)));
  EXPECT_LE(evaluations - first, 4);
}

TEST(ProfileToRenyi, OneDirectionOfASymmetricPairIsBoth) {
  const Profile profile = profile_of(Laplace{1.0});
  const RenyiCurve forward = forward_renyi_from_pair(LossPair::symmetric_of(profile));
  for (const double alpha : {1.5, 2.0, 30.0})
    EXPECT_EQ(forward.at(Alpha(alpha)), renyi_from_profile(profile).at(Alpha(alpha))) << alpha;
}

TEST(ProfileToRenyi, Edges) {
  EXPECT_EQ(renyi_from_profile(profile_of(Laplace{1.0, 0.0})).at(Alpha(2.0)), Bracket(0.0));
  EXPECT_EQ(renyi_from_profile(profile_of(BlackBox{1.0, 0.1})).at(Alpha(2.0)), Bracket(rounding::kInfinity));
  EXPECT_EQ(renyi_from_profile(profile_of(Laplace{0.5})).at(Alpha(rounding::kInfinity)).upper(), 2.0);
  const Profile unknown_tail([](Epsilon epsilon) { return Bracket(std::exp(-epsilon.value())); });
  EXPECT_EQ(renyi_from_profile(unknown_tail).at(Alpha(2.0)), Bracket(0.0, rounding::kInfinity));
}

}  // namespace
}  // namespace doeblin
