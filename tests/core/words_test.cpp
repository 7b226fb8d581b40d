// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/words.hpp"

#include <gtest/gtest.h>

namespace doeblin {
namespace {

enum class Colour { kRed, kGreen, kBlue, kNameless };

constexpr auto kColours = words<Colour>(
    {{"red", Colour::kRed, "like blood"}, {"green", Colour::kGreen}, {"blue", Colour::kBlue, "like the sky"}});

// Known when compiling.
static_assert(kColours.word_of(Colour::kGreen) == "green");
static_assert(kColours.value_of("blue") == Colour::kBlue);
static_assert(!kColours.value_of("Blue") && !kColours.value_of("") && !kColours.value_of("blu"));
static_assert(kColours.size() == 3);

TEST(Words, EveryValueHasItsWordAndBack) {
  for (const auto& one : kColours) {
    EXPECT_EQ(kColours.word_of(one.value), one.word);
    EXPECT_EQ(kColours.value_of(one.word), one.value);
  }
  EXPECT_EQ(kColours.begin()->meaning, "like blood");
  EXPECT_THROW(static_cast<void>(kColours.word_of(Colour::kNameless)), InternalError);
}

TEST(Words, ListsForMessages) {
  EXPECT_EQ(kColours.listed(), "red, green or blue");
  EXPECT_EQ(kColours.listed(", "), "red, green, blue");
  EXPECT_EQ(kColours.listed(", ", "'"), "'red', 'green', 'blue'");
}

TEST(Words, SomeOfThemInAnotherOrder) {
  constexpr auto kFew = kColours.only({Colour::kBlue, Colour::kRed});
  EXPECT_EQ(kFew.listed(" or ", "'"), "'blue' or 'red'");
  EXPECT_FALSE(kFew.value_of("green").has_value());
  EXPECT_EQ((words<bool>({{"yes", true}}).listed()), "yes");
}

}  // namespace
}  // namespace doeblin
