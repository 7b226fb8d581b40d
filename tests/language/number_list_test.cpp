// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/number_list.hpp"

#include <limits>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::language {
namespace {

TEST(NumberList, NumbersListsAndRanges) {
  EXPECT_EQ(parse_values("--x", {"1", "2,3", "0:1:0.25"}), (std::vector<double>{1, 2, 3, 0, 0.25, 0.5, 0.75, 1}));
  // The stop belongs to the range although 0.3/0.1 is less than 3.
  EXPECT_EQ(parse_values("--x", {"0:0.3:0.1"}), (std::vector<double>{0, 0.1, 0.2, 0.3}));
}

TEST(NumberList, NumbersMayBeArithmetic) {
  EXPECT_EQ(parse_values("--x", {"1/48000", "0.1*1e-5,2**-20"}), (std::vector<double>{1.0 / 48000.0, 1e-6, 0x1p-20}));
  EXPECT_EQ(parse_values("--x", {"0:1:1/3"}), (std::vector<double>{0, 1.0 / 3.0, 2.0 / 3.0, 1}));
  EXPECT_EQ(parse_values("--x", {"-1:1:1"}), (std::vector<double>{-1, 0, 1}));
  EXPECT_EQ(parse_values("--x", {"inf"}), (std::vector<double>{std::numeric_limits<double>::infinity()}));
}

TEST(NumberList, MistakesNameTheOption) {
  for (const char* text :
       {"", "a", "1,", "1:2", "2:1:1", "0:1:0", "0:1e9:1e-9", "0:inf:1", "1/0", "1e-400", "gaussian(1)", "?"}) {
    try {
      static_cast<void>(parse_values("--delta", {text}));
      FAIL() << text;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).rfind("--delta", 0), 0u) << error.what();
    }
  }
}

}  // namespace
}  // namespace doeblin::language
