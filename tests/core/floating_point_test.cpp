// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/floating_point.hpp"

#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/floating_point.hpp"

namespace doeblin {
namespace {

// What the quick check says, after the slow one said the same; empty if neither objects.
std::string objection() {
  const bool has_fault = floating_point_fault() != nullptr;
  try {
    require_ieee();
  } catch (const InvalidArgument& error) {
    return has_fault ? error.what() : "only the quick check objects";
  }
  return has_fault ? "only the slow check objects" : "";
}

TEST(FloatingPoint, TheDefaultModeIsFine) { EXPECT_EQ(objection(), ""); }

TEST(FloatingPoint, OtherRoundingIsRefused) {
  for (const int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    const std::string found = test::in_mode([&] { std::fesetround(mode); }, objection);
    EXPECT_TRUE(found.starts_with("floating-point mode = a rounding mode other than to nearest, need")) << found;
  }
  EXPECT_EQ(objection(), "");
}

#if defined(__SSE2__)
TEST(FloatingPoint, FlushedSubnormalsAreRefused) {
  for (const unsigned bits : {0x8000U, 0x0040U, 0x8040U}) {
    const std::string found = test::in_mode([&] { _mm_setcsr(_mm_getcsr() | bits); }, objection);
    EXPECT_TRUE(found.starts_with("floating-point mode = subnormal numbers flushed to zero, need")) << found;
  }
  EXPECT_EQ(objection(), "");
}

// What the message advises.
TEST(FloatingPoint, TheDefaultEnvironmentIsTheWayOut) {
  const std::string found = test::in_mode(
      [] {
        _mm_setcsr(_mm_getcsr() | 0x8040U);
        std::fesetround(FE_UPWARD);
        std::fesetenv(FE_DFL_ENV);
      },
      objection);
  EXPECT_EQ(found, "");
}
#endif

// A mode belongs to a thread, and goes on to the threads that it starts.
TEST(FloatingPoint, ThreadsInheritTheMode) {
  std::string found;
  test::in_mode(test::round_upward, [&] { std::thread([&] { found = objection(); }).join(); });
  EXPECT_NE(found, "");
}

}  // namespace
}  // namespace doeblin
