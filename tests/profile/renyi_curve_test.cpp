// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_curve.hpp"

#include <gtest/gtest.h>

namespace doeblin {
namespace {

TEST(RenyiCurve, IsAFunctionOfTheOrderWithTraits) {
  const RenyiCurve curve([](Alpha alpha) { return Bracket(alpha.value() / 2.0); },
                         {.largest_order = 8.0, .tight = false});
  EXPECT_EQ(curve.at(Alpha(3.0)), Bracket(1.5));
  EXPECT_EQ(curve.traits().largest_order, 8.0);
  EXPECT_FALSE(curve.traits().tight);
  EXPECT_TRUE(RenyiCurve([](Alpha) { return Bracket(0.0); }).traits().tight);
}

}  // namespace
}  // namespace doeblin
