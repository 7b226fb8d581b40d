// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/chord_table.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/zcdp.hpp"

namespace doeblin {
namespace {

// Above the profile, and by no more than `excess` (1 + log(1/delta)/5)^2 of delta; far out, by a power close to 1.
void expect_above(const Profile& profile, double last, double excess) {
  const Profile table = tabulated(profile);
  for (double epsilon = 0.0; epsilon < last; epsilon += last / 997.0) {
    const double truth = profile.delta(Epsilon(epsilon)).upper();
    const Bracket found = table.delta(Epsilon(epsilon));
    EXPECT_TRUE(found.is_exact());
    EXPECT_GE(found.upper(), profile.delta(Epsilon(epsilon)).lower()) << epsilon;
    const double growth = 1.0 - 0.2 * std::log(truth);
    const double most = truth > 1e-80 ? truth * (1.0 + excess * growth * growth) : std::pow(truth, 0.98);
    EXPECT_LE(found.upper(), most + 1e-295) << epsilon;
  }
}

TEST(ChordTable, LiesAboveAndCloseTo) {
  for (const double mu : {0.01, 0.3, 1.0, 8.0}) expect_above(profile_of(Gdp::level(mu)), 30.0 * mu, 4e-3);
  expect_above(profile_of(Laplace{.scale = 0.5}), 2.5, 2e-3);
  expect_above(profile_of(Zcdp::level(0.05)), 9.0, 2e-3);
}

TEST(ChordTable, AsksNoMoreThanItNeeds) {
  int asked = 0;
  const Profile gaussian = profile_of(Gdp::level(1.0));
  const Profile counted([&](Epsilon epsilon) { return ++asked, gaussian.delta(epsilon); });
  const Profile table = tabulated(counted);
  EXPECT_EQ(asked, 0);
  (void)table.delta(Epsilon(5.0));  // 1e-7
  const int few = asked;
  EXPECT_LT(few, 100);
  for (double epsilon = 0.0; epsilon < 5.0; epsilon += 0.01) (void)table.delta(Epsilon(epsilon));
  EXPECT_EQ(asked, few);
  (void)table.delta(Epsilon(36.0));  // below 1e-270
  EXPECT_LT(asked, 320);
}

TEST(ChordTable, WhatIsLeftAtInfinityIsLeft) {
  const Profile heavy([](Epsilon epsilon) { return Bracket(std::max(0.25, 1.0 - epsilon.value())); });
  const Profile table = tabulated(heavy);
  EXPECT_EQ(table.delta(Epsilon(rounding::kInfinity)).upper(), 0.25);
  EXPECT_EQ(table.delta(Epsilon(1000.0)).upper(), 0.25);
  EXPECT_GE(table.delta(Epsilon(0.5)).upper(), 0.5);
}

TEST(ChordTable, NodesThatRiseAreCut) {
  int k = 0;
  const double deltas[] = {0.5, 0.1, 0.2, 0.0};
  const ChordTable table([&]() -> std::optional<ChordNode> {
    if (k == 4) return std::nullopt;
    const double epsilon = k;
    return ChordNode{epsilon, deltas[k++]};
  });
  EXPECT_EQ(table.upper(0.0), 0.5);
  EXPECT_LE(table.upper(1.5), 0.1);
  EXPECT_GT(table.upper(1.5), 0.099);
  EXPECT_EQ(table.upper(7.0), 0.0);
}

}  // namespace
}  // namespace doeblin
