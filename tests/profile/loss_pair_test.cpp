// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/loss_pair.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/laplace.hpp"

namespace doeblin {
namespace {

const Profile kStrong = profile_of(Laplace{2.0});
const Profile kWeak = profile_of(Laplace{1.0});

TEST(LossPair, ASymmetricPairIsItsProfile) {
  const LossPair pair = LossPair::symmetric_of(kWeak);
  EXPECT_TRUE(pair.symmetric);
  EXPECT_EQ(profile_of(pair).delta(Epsilon(0.2)), kWeak.delta(Epsilon(0.2)));
}

TEST(LossPair, TheProfileIsTheLargerDirection) {
  for (const LossPair& pair : {LossPair{kStrong, kWeak}, LossPair{kWeak, kStrong}}) {
    const Profile both = profile_of(pair);
    EXPECT_EQ(both.delta(Epsilon(0.2)), kWeak.delta(Epsilon(0.2)));
    EXPECT_EQ(both.epsilon(Delta(1e-3)), kWeak.epsilon(Delta(1e-3)));
    EXPECT_EQ(both.traits().loss_bound, kWeak.traits().loss_bound);
  }
}

TEST(LossPair, EnclosedTakesOneEndFromEach) {
  const Profile between = enclosed(Attained(kStrong), Dominating(kWeak));
  EXPECT_EQ(between.delta(Epsilon(0.2)).lower(), kStrong.delta(Epsilon(0.2)).lower());
  EXPECT_EQ(between.delta(Epsilon(0.2)).upper(), kWeak.delta(Epsilon(0.2)).upper());
  EXPECT_EQ(between.epsilon(Delta(0.01)).lower(), kStrong.epsilon(Delta(0.01)).lower());
  EXPECT_EQ(between.epsilon(Delta(0.01)).upper(), kWeak.epsilon(Delta(0.01)).upper());
  EXPECT_FALSE(between.traits().tight);
  // What is attained is never above what dominates it.
  EXPECT_THROW(static_cast<void>(enclosed(Attained(kWeak), Dominating(kStrong)).delta(Epsilon(0.2))), InternalError);
}

TEST(LossPair, RaisedTakesTheLargerLowerEnd) {
  const Profile wide([](Epsilon) { return Bracket(0.0, 1.0); },
                     [](Delta) { return Bracket(0.0, rounding::kInfinity); });
  const Profile both = raised(wide, kWeak);
  EXPECT_EQ(both.delta(Epsilon(0.2)), Bracket(kWeak.delta(Epsilon(0.2)).lower(), 1.0));
  EXPECT_EQ(both.epsilon(Delta(0.01)).lower(), kWeak.epsilon(Delta(0.01)).lower());
  EXPECT_EQ(raised(kStrong, wide).delta(Epsilon(0.2)), kStrong.delta(Epsilon(0.2)));
}

TEST(LossPair, TightenedTakesTheSmallerUpperEnd) {
  const Profile wide([](Epsilon) { return Bracket(0.0, 1.0); },
                     [](Delta) { return Bracket(0.0, rounding::kInfinity); });
  for (const Profile& both : {tightened(wide, kWeak), tightened(tightened(wide, kWeak), wide)}) {
    EXPECT_EQ(both.delta(Epsilon(0.2)), Bracket(0.0, kWeak.delta(Epsilon(0.2)).upper()));
    EXPECT_EQ(both.epsilon(Delta(0.01)), Bracket(0.0, kWeak.epsilon(Delta(0.01)).upper()));
  }
}

TEST(LossPair, ExactPairsSayBothThings) {
  const LossPairs pairs = LossPairs::exact(LossPair::symmetric_of(kWeak));
  EXPECT_TRUE(pairs.is_exact);
  EXPECT_TRUE(pairs.attained.has_value());
}

}  // namespace
}  // namespace doeblin
