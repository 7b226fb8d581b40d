// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

Profile exponential(double floor) {
  return Profile([floor](Epsilon epsilon) { return Bracket(floor + (1.0 - floor) * std::exp(-epsilon.value())); });
}

TEST(Profile, InvertsByBisection) {
  const Bracket got = exponential(0.0).epsilon(Delta(1e-10));
  const double truth = -std::log(1e-10);
  EXPECT_LE(got.lower(), truth);
  EXPECT_GE(got.upper(), truth * (1.0 - 1e-15));
  EXPECT_LE(got.relative_width(), 1e-14);
}

TEST(Profile, NoEpsilonReachesADeltaBelowTheLimit) {
  EXPECT_EQ(exponential(1e-3).epsilon(Delta(1e-4)), Bracket(rounding::kInfinity));
}

TEST(Profile, ZeroSufficesForALargeDelta) { EXPECT_EQ(exponential(0.0).epsilon(Delta(1.0)), Bracket(0.0)); }

TEST(Profile, UsesTheInverseItIsGiven) {
  const Profile profile([](Epsilon) { return Bracket(0.5); }, [](Delta) { return Bracket(7.0); }, {.tight = false});
  EXPECT_EQ(profile.epsilon(Delta(0.1)), Bracket(7.0));
  EXPECT_FALSE(profile.traits().tight);
}

}  // namespace
}  // namespace doeblin
