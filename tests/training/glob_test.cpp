// SPDX-License-Identifier: Apache-2.0
#include "training/glob.hpp"

#include <string>

#include <gtest/gtest.h>

namespace doeblin::training {
namespace {

TEST(Glob, Matches) {
  EXPECT_TRUE(matches("", ""));
  EXPECT_FALSE(matches("", "a"));
  EXPECT_TRUE(matches("abc", "abc"));
  EXPECT_FALSE(matches("abc", "ab"));
  EXPECT_FALSE(matches("ab", "abc"));
  EXPECT_TRUE(matches("*", ""));
  EXPECT_TRUE(matches("**", "abc"));
  EXPECT_TRUE(matches("word_*", "word_freq_you"));
  EXPECT_FALSE(matches("word_*", "wor"));
  EXPECT_TRUE(matches("*_you", "word_freq_you"));
  EXPECT_FALSE(matches("*_you", "word_freq_your"));
  EXPECT_TRUE(matches("a?c", "abc"));
  EXPECT_FALSE(matches("a?c", "ac"));
  EXPECT_FALSE(matches("?", ""));
  EXPECT_TRUE(matches("a*b*c", "a-b-b-c"));
  EXPECT_FALSE(matches("a*b*c", "a-c-b"));
  EXPECT_TRUE(matches("*aab", "aaaaab"));
  // Exponential for those who try every star again.
  std::string pattern;
  for (int i = 0; i < 30; ++i) pattern += "a*";
  EXPECT_FALSE(matches(pattern + "b", std::string(1000, 'a')));
}

}  // namespace
}  // namespace doeblin::training
