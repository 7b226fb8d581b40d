// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/suggestion.hpp"

#include <gtest/gtest.h>

namespace doeblin::language {
namespace {

TEST(Suggestion, FindsTheNearestWord) {
  const std::vector<std::string> words = {"gaussian", "laplace", "group", "gdp"};
  EXPECT_EQ(suggestion("gausian", words), "gaussian");
  EXPECT_EQ(suggestion("laplcae", words), "laplace");
  EXPECT_EQ(suggestion("gruop", words), "group");
  EXPECT_EQ(suggestion("gdq", words), "gdp");
}

TEST(Suggestion, StaysSilentWhenNothingIsNear) {
  EXPECT_EQ(suggestion("exponential", {"gaussian", "laplace"}), "");
  EXPECT_EQ(suggestion("", {"gaussian"}), "");
  EXPECT_EQ(suggestion(std::string(1000, 'x'), {"gaussian"}), "");
}

}  // namespace
}  // namespace doeblin::language
