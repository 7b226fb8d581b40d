// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/parallel.hpp"

#include <atomic>
#include <stdexcept>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/floating_point.hpp"

namespace doeblin::numerics {
namespace {

TEST(Parallel, DoesEverythingOnce) {
  for (const std::size_t count : {0U, 1U, 2U, 1000U}) {
    std::vector<std::atomic<int>> calls(count);
    std::size_t last = 0;
    parallel_for(
        count, [&](std::size_t i) { ++calls[i]; }, [&](std::size_t done) { last = std::max(last, done); });
    for (const auto& one : calls) EXPECT_EQ(one, 1);
    EXPECT_LE(last, count);
  }
}

TEST(Parallel, WorksInTheDefaultFloatingPointModeOnly) {
  std::atomic<int> calls{0};
  const auto everything = [&] { return parallel_for(1000, [&](std::size_t) { ++calls; }), true; };
  EXPECT_TRUE(test::in_mode(test::round_upward, [&] { return test::throws<InvalidArgument>(everything); }));
  EXPECT_EQ(calls, 0);
}

TEST(Parallel, PassesAnExceptionOnAndStops) {
  std::atomic<int> calls{0};
  const auto fails = [&](std::size_t i) {
    ++calls;
    if (i == 3) throw std::runtime_error("three");
  };
  EXPECT_THROW(parallel_for(1000000, fails), std::runtime_error);
  EXPECT_LT(calls, 1000000);
}

}  // namespace
}  // namespace doeblin::numerics
