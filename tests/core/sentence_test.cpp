// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/sentence.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin {
namespace {

std::string shouted(std::string_view name) { return "<" + std::string(name) + ">"; }

TEST(Sentence, OptionsAreSpelledAsTheReaderWritesThem) {
  const Sentence sentence{Option{"sigma"}, ": not together with ", Option{"epsilon"}, " or sigma"};
  EXPECT_EQ(sentence.text(), "sigma: not together with epsilon or sigma");
  EXPECT_EQ(sentence.spelled(shouted), "<sigma>: not together with <epsilon> or sigma");
}

TEST(Sentence, WhatIsNoOptionStaysAsItIs) {
  EXPECT_EQ(Sentence("--x and y").spelled(shouted), "--x and y");
  EXPECT_EQ(Sentence().spelled(shouted), "");
  EXPECT_TRUE(Sentence().empty());
}

TEST(Sentence, PartsMayBeSentences) {
  const Sentence inner{"with ", Option{"classes"}};
  EXPECT_EQ((Sentence{"a", inner, Option{"b"}, inner}.spelled(shouted)), "awith <classes><b>with <classes>");
}

TEST(Sentence, OfAnErrorThatIsPassedOn) {
  const InvalidArgument error(Option{"test_fraction"}, 2.0, {"less than ", Option{"limit"}});
  EXPECT_STREQ(error.what(), "test_fraction = 2, need less than limit");
  EXPECT_EQ(error.within("train\n").message().spelled(shouted), "train\n: <test_fraction> = 2, need less than <limit>");
}

TEST(Sentence, ErrorsAreOneLine) {
  EXPECT_EQ(InvalidArgument(Option{"file"}, "'a\nb'", "x").message().spelled(shouted), "<file> = 'a?b', need x");
}

}  // namespace
}  // namespace doeblin
