// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/profile.hpp"

#include <cmath>

#include <vector>

#include <gtest/gtest.h>

#include "doeblin/profile/renyi_curve.hpp"
#include "support/floating_point.hpp"

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

std::vector<double> epsilons(std::size_t count) {
  std::vector<double> all;
  for (std::size_t i = 0; i < count; ++i) all.push_back(5.0 * static_cast<double>((i * 7919) % count) / 1000.0);
  return all;
}

TEST(Profile, ManyDeltasAreSingleOnes) {
  const Profile profile = exponential(1e-9);
  for (const std::size_t count : {0u, 1u, 255u, 256u, 1000u}) {
    const std::vector<double> at = epsilons(count);
    std::vector<double> lower(count, -1.0);
    std::vector<double> upper(count, -1.0);
    EXPECT_EQ(profile.deltas(at, lower, upper), 0.0);
    for (std::size_t i = 0; i < count; ++i)
      EXPECT_EQ(Bracket(lower[i], upper[i]), profile.delta(Epsilon(at[i]))) << count << ", " << i;
  }
}

TEST(Profile, ManyDeltasRefuseWhatOneRefuses) {
  for (const double bad : {-1.0, std::nan("")}) {
    std::vector<double> at(300, 1.0);
    at[277] = bad;
    std::vector<double> ends(300);
    std::vector<double> more(300);
    EXPECT_THROW(static_cast<void>(exponential(0.0).deltas(at, ends, more)), InvalidArgument);
  }
}

TEST(Profile, TellsHowWideManyDeltasAre) {
  const Profile profile([](Epsilon e) { return Bracket(0.25, e.value() == 3.0 ? 0.75 : 0.5); });
  std::vector<double> lower(3);
  std::vector<double> upper(3);
  EXPECT_EQ(profile.deltas(std::vector<double>{1.0, 3.0, 2.0}, lower, upper), 0.5);
}

TEST(Profile, UsesTheBatchItIsGiven) {
  const Profile profile =
      exponential(0.0).with_batch([](std::span<const double> at, std::span<double> lower, std::span<double> upper) {
        for (std::size_t i = 0; i < at.size(); ++i) lower[i] = 1.0, upper[i] = 2.0;
        return 1.0;
      });
  double lower = 0.0;
  double upper = 0.0;
  const double at = 0.5;
  EXPECT_EQ(profile.deltas({&at, 1}, {&lower, 1}, {&upper, 1}), 1.0);
  EXPECT_EQ(upper, 2.0);
}

TEST(Profile, AnswersInTheDefaultFloatingPointModeOnly) {
  const Profile profile = exponential(0.0);
  std::vector<double> epsilon(1000, 1.0), lower(1000), upper(1000);
  const auto refused = [&](const auto& question) {
    return test::in_mode(test::round_upward, [&] { return test::throws<InvalidArgument>(question); });
  };
  EXPECT_TRUE(refused([&] { return profile.delta(Epsilon(1.0)); }));
  EXPECT_TRUE(refused([&] { return profile.epsilon(Delta(0.1)); }));
  EXPECT_TRUE(refused([&] { return profile.deltas(epsilon, lower, upper); }));
  EXPECT_TRUE(refused([&] { return unknown_renyi().at(Alpha(2.0)); }));
  EXPECT_NO_THROW(static_cast<void>(profile.deltas(epsilon, lower, upper)));
}

TEST(AccuracyGoal, AnInfiniteUpperEndMeetsNoGoalUnlessItIsExact) {
  const AccuracyGoal goal{.epsilon_relative_width = 1e-3};
  EXPECT_TRUE(goal.is_met_by_epsilon({1000.0, 1000.5}));
  EXPECT_FALSE(goal.is_met_by_epsilon({1000.0, 1002.0}));
  EXPECT_FALSE(goal.is_met_by_epsilon({1.0, rounding::kInfinity}));
  EXPECT_TRUE(goal.is_met_by_epsilon(Bracket(rounding::kInfinity)));
}

}  // namespace
}  // namespace doeblin
