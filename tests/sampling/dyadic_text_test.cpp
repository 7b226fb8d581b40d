// SPDX-License-Identifier: Apache-2.0
#include "sampling/dyadic_text.hpp"

#include <charconv>
#include <cmath>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace doeblin::sampling {
namespace {

std::string text_of(std::int64_t digits, int exponent) {
  char buffer[kLongestNumber];
  return {buffer, write_dyadic(buffer, digits, exponent)};
}

std::string library_text(std::int64_t digits, int exponent) {
  char buffer[kLongestNumber];
  const double value = std::ldexp(static_cast<double>(digits), exponent) + 0.0;
  return {buffer, std::to_chars(buffer, buffer + sizeof(buffer), value).ptr};
}

TEST(DyadicText, WritesWhatTheLibraryWrites) {
  for (int exponent = -20; exponent <= 20; ++exponent)
    for (std::int64_t digits = -70'000; digits <= 70'000; digits += 7)
      ASSERT_EQ(text_of(digits, exponent), library_text(digits, exponent)) << digits << " " << exponent;
}

RC_GTEST_PROP(DyadicText, IsTheShortestText, ()) {
  const auto digits = *rc::gen::inRange<std::int64_t>(-(std::int64_t{1} << 53), std::int64_t{1} << 53);
  const auto small = *rc::gen::inRange<int>(0, 53);
  const auto exponent = *rc::gen::inRange(-60, 60);
  RC_ASSERT(text_of(digits >> small, exponent) == library_text(digits >> small, exponent));
}

TEST(DyadicText, Examples) {
  EXPECT_EQ(text_of(0, -5), "0");
  EXPECT_EQ(text_of(-1, -5), "-0.03125");
  EXPECT_EQ(text_of(33, -5), "1.03125");
  EXPECT_EQ(text_of(-3, 5), "-96");
  EXPECT_EQ(text_of(1, -12), "0.000244140625");
}

}  // namespace
}  // namespace doeblin::sampling
