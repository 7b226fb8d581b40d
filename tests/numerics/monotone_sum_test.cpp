// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/monotone_sum.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

TEST(MonotoneSum, FewTermsAreAddedExactly) {
  const auto f = [](std::size_t i) { return Bracket(8.0 - static_cast<double>(i)); };
  EXPECT_EQ(monotone_sum(f, 0, 0.0, 100), Bracket(0.0));
  EXPECT_EQ(monotone_sum(f, 1, 0.0, 100), Bracket(8.0));
  EXPECT_EQ(monotone_sum(f, 4, 0.0, 100), Bracket(26.0));
}

TEST(MonotoneSum, ManyEqualTermsNeedTwoValues) {
  int calls = 0;
  const auto f = [&](std::size_t) { return ++calls, Bracket(0.5); };
  EXPECT_EQ(monotone_sum(f, 1'000'000, 0.0, 1000), Bracket(500'000.0));
  EXPECT_EQ(calls, 2);
}

TEST(MonotoneSum, BudgetWidensButNeverBreaks) {
  const auto f = [](std::size_t i) { return Bracket(1.0 / (1.0 + static_cast<double>(i))); };
  double truth = 0.0;
  for (int i = 0; i < 10'000; ++i) truth += 1.0 / (1.0 + i);
  const Bracket coarse = monotone_sum(f, 10'000, 0.0, 8);
  EXPECT_LE(coarse.lower(), truth);
  EXPECT_GE(coarse.upper(), truth);
  const Bracket fine = monotone_sum(f, 10'000, 1e-3, 5000);
  EXPECT_LE(fine.lower(), truth);
  EXPECT_GE(fine.upper(), truth);
  EXPECT_LE(fine.width(), 1.1e-3 * truth);
}

RC_GTEST_PROP(MonotoneSum, EnclosesExponentialSums, ()) {
  const double rate = test::log_uniform(1e-4, 10.0);
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 3000));
  const auto f = [&](std::size_t i) {
    const double value = std::exp(-rate * static_cast<double>(i));
    return Bracket(value * (1.0 - 1e-15), value * (1.0 + 1e-15));
  };
  const double truth = std::expm1(-rate * static_cast<double>(count)) / std::expm1(-rate);
  const Bracket sum = monotone_sum(f, count, 1e-6, 500);
  RC_ASSERT(sum.lower() <= truth * (1.0 + 1e-12));
  RC_ASSERT(sum.upper() >= truth * (1.0 - 1e-12));
}

}  // namespace
}  // namespace doeblin::numerics
