// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"

#include <gtest/gtest.h>

namespace doeblin::pipeline {
namespace {

TEST(Maker, CallText) {
  EXPECT_EQ(call_text("f", {}), "f()");
  EXPECT_EQ(call_text("f", {{"a", 0.1}, {"b", 14000}}), "f(a=0.1, b=14000)");
}

}  // namespace
}  // namespace doeblin::pipeline
