// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/whole.hpp"

#include <limits>
#include <string>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin {
namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

template <typename... Range>
std::string sentence(const char* parameter, double value, Range... range) {
  try {
    require_whole(parameter, value, range...);
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "fine";
}

TEST(Whole, NumbersFromLowToHigh) {
  for (const double x : {1.0, 2.0, 0x1p53}) EXPECT_TRUE(is_whole(x, 1.0, 0x1p53)) << x;
  for (const double x : {0.0, -1.0, 1.5, 0x1p53 + 2.0, kInfinite, -kInfinite, kNothing})
    EXPECT_FALSE(is_whole(x, 1.0, 0x1p53)) << x;
  EXPECT_TRUE(is_whole(-3.0));
  EXPECT_FALSE(is_whole(0x1p-1074));
  EXPECT_FALSE(is_whole(kNothing));
}

TEST(Whole, TheSentenceNamesTheParameterItsValueAndTheRange) {
  EXPECT_EQ(sentence("k", 3.0, 1.0, 0x1p53), "fine");
  EXPECT_EQ(sentence("k", 0.5, 1.0, 0x1p53), "k = 0.5, need an integer, 1 <= k <= 2^53");
  EXPECT_EQ(sentence("k", kNothing, 0.0, 0x1p40), "k = nan, need an integer, 0 <= k <= 2^40");
  EXPECT_EQ(sentence("states", 1.0, 2.0, 4096.0), "states = 1, need an integer, 2 <= states <= 4096");
  EXPECT_EQ(sentence("steps", 0.0, 1.0, 10000.0), "steps = 0, need an integer, 1 <= steps <= 10000");
  EXPECT_EQ(sentence("tasks", 0.0, 1.0, 1e6), "tasks = 0, need an integer, 1 <= tasks <= 1e6");
  EXPECT_EQ(sentence("steps", 2e9, 1.0, 1e9), "steps = 2000000000, need an integer, 1 <= steps <= 1e9");
  EXPECT_EQ(sentence("steps", 0.0, 1.0, kInfinite), "steps = 0, need an integer, 1 <= steps <= inf");
  EXPECT_EQ(sentence("i", 0.0, 1.0, 5.0, "one of five"), "i = 0, need one of five");
  EXPECT_EQ(sentence("i", 5.0, 1.0, 5.0, "one of five"), "fine");
}

}  // namespace
}  // namespace doeblin
