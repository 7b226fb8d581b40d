// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/text.hpp"

#include <gtest/gtest.h>

namespace doeblin {
namespace {

TEST(Text, TrimmedLosesBlanksAtTheEnds) {
  EXPECT_EQ(trimmed(" \ta b\r"), "a b");
  EXPECT_EQ(trimmed(" \t\r"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(Text, PrintableIsShortAndPlain) {
  EXPECT_EQ(printable("a\n\x01\xc3\xa9~"), "a????~");
  EXPECT_EQ(printable(std::string(100, 'x')).size(), 40u);
}

}  // namespace
}  // namespace doeblin
