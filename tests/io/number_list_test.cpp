// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/number_list.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::io {
namespace {

TEST(NumberList, NumbersListsAndRanges) {
  EXPECT_EQ(parse_values("--x", {"1", "2,3", "0:1:0.25"}), (std::vector<double>{1, 2, 3, 0, 0.25, 0.5, 0.75, 1}));
  // The stop belongs to the range although 0.3/0.1 is less than 3.
  EXPECT_EQ(parse_values("--x", {"0:0.3:0.1"}), (std::vector<double>{0, 0.1, 0.2, 0.3}));
}

TEST(NumberList, MistakesNameTheOption) {
  for (const char* text : {"", "a", "1,", "1:2", "2:1:1", "0:1:0", "0:1e9:1e-9", "0:inf:1"}) {
    try {
      static_cast<void>(parse_values("--delta", {text}));
      FAIL() << text;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).rfind("--delta", 0), 0u) << error.what();
    }
  }
}

}  // namespace
}  // namespace doeblin::io
