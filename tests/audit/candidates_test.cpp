// SPDX-License-Identifier: Apache-2.0
#include "audit/candidates.hpp"

#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "audit/discriminant.hpp"
#include "doeblin/core/rounding.hpp"

namespace doeblin::audit {
namespace {

using rounding::kInfinity;

std::vector<double> numbers(double first, double count) {
  std::vector<double> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), first);
  return all;
}

TEST(Candidates, TailsCoverBothEndsAndEverything) {
  const std::vector<double> first = numbers(0, 1000);
  const std::vector<double> second = numbers(0.5, 1000);
  const std::vector<Interval> all = tails(first, second);
  EXPECT_LT(all.size(), 600u);
  for (const Interval& one : all) {
    EXPECT_TRUE((one.low == -kInfinity) != (one.high == kInfinity));
    EXPECT_GE(count_in(one, first) + count_in(one, second), 1.0);
  }
  const auto has = [&](const Interval& one) { return std::find(all.begin(), all.end(), one) != all.end(); };
  EXPECT_TRUE(has({999.5, kInfinity}));
  EXPECT_TRUE(has({-kInfinity, 0.0}));
  EXPECT_TRUE(has({998.5, kInfinity}));
}

TEST(Candidates, CellsOfFewValuesAreTheValues) {
  const std::vector<double> first(100, 1.0);
  const std::vector<double> second(100, 2.0);
  const std::vector<Interval> expected{{1.0, 1.0}, {2.0, 2.0}};
  EXPECT_EQ(cells(first, second, false), expected);
  // Many different ones only if they are names.
  EXPECT_EQ(cells(numbers(0, 500), numbers(500, 500), true).size(), 1000u);
}

RC_GTEST_PROP(CellProperty, EveryNumberIsInExactlyOneCell, ()) {
  auto first = *rc::gen::container<std::vector<double>>(
      300, rc::gen::map(rc::gen::inRange(0, 100000), [](int i) { return i / 7.0; }));
  std::sort(first.begin(), first.end());
  const std::vector<double> second = numbers(0, 200);
  const std::vector<Interval> all = cells(first, second, false);
  RC_ASSERT(all.size() >= 2u && all.size() <= 256u);
  RC_ASSERT(all.front().low == -kInfinity && all.back().high == kInfinity);
  for (std::size_t k = 1; k < all.size(); ++k) RC_ASSERT(rounding::next_up(all[k - 1].high) == all[k].low);
  double total = 0.0;
  for (const Interval& one : all) total += count_in(one, first);
  RC_ASSERT(total == static_cast<double>(first.size()));
  // Joined again they are the whole line.
  RC_ASSERT(joined(all) == (std::vector<Interval>{{-kInfinity, kInfinity}}));
}

TEST(Candidates, CountsInclusive) {
  const std::vector<double> sample{1.0, 2.0, 2.0, 3.0};
  EXPECT_EQ(count_in({2.0, 2.0}, sample), 2.0);
  EXPECT_EQ(count_in({1.5, 3.0}, sample), 3.0);
  EXPECT_EQ(count_in({-kInfinity, kInfinity}, sample), 4.0);
  EXPECT_EQ(count_in({4.0, kInfinity}, sample), 0.0);
}

TEST(Candidates, TheLikelierCellsComeFirst) {
  const std::vector<double> likely{1, 1, 1, 2, 2, 3};
  const std::vector<double> rare{1, 2, 2, 3, 3, 3};
  const std::vector<Interval> expected{{1, 1}, {2, 2}, {3, 3}};
  EXPECT_EQ(by_likelihood_ratio({{3, 3}, {1, 1}, {2, 2}}, likely, rare), expected);
  const std::vector<Interval> reversed{{3, 3}, {2, 2}, {1, 1}};
  EXPECT_EQ(by_likelihood_ratio({{1, 1}, {3, 3}, {2, 2}}, rare, likely), reversed);
}

TEST(Candidates, JoinsNeighboursOnly) {
  const std::vector<Interval> expected{{1.0, 2.0}, {3.0, 3.0}};
  EXPECT_EQ(joined({{3.0, 3.0}, {1.0, rounding::next_down(1.5)}, {1.5, 2.0}}), expected);
  EXPECT_TRUE(joined({}).empty());
}

TEST(Discriminant, FindsTheDirectionThatSeparates) {
  Outputs first{3};
  Outputs second{3};
  for (int i = 0; i < 4000; ++i) {
    // Coordinates with variances 1 : 4 and a third one without any meaning; both means differ by 1.
    const double a = (i * 37 % 101 - 50.0) / 29.0;
    const double b = 2.0 * (i * 53 % 103 - 51.0) / 29.7;
    const double c = (i * 71 % 107 - 53.0) / 31.0;
    for (const double x : {a + 1.0, b + 1.0, c}) first.values.push_back(x);
    for (const double x : {a, b, c}) second.values.push_back(x);
  }
  const std::vector<double> weights = discriminant(first, second);
  EXPECT_EQ(weights[0], 1.0);
  EXPECT_NEAR(weights[1], 0.25, 0.05);
  EXPECT_NEAR(weights[2], 0.0, 0.05);
}

TEST(Discriminant, HasAnAnswerForConstants) {
  const Outputs same{2, {1.0, 2.0, 1.0, 2.0}};
  EXPECT_EQ(discriminant(same, same), (std::vector<double>{1.0, 1.0}));
  const Outputs other{2, {1.0, 3.0, 1.0, 3.0}};
  EXPECT_EQ(discriminant(same, other), (std::vector<double>{0.0, -1.0}));
}

TEST(Discriminant, ManyCoordinatesUseTheirVariances) {
  constexpr std::size_t kDimension = 300;
  Outputs first{kDimension};
  Outputs second{kDimension};
  for (std::size_t i = 0; i < 50; ++i)
    for (std::size_t j = 0; j < kDimension; ++j) {
      const double noise = (static_cast<double>((i * 37 + j * 11) % 50) - 24.5) * (j == 7 ? 0.1 : 1.0);
      first.values.push_back(noise + (j == 7 ? 1.0 : 0.0));
      second.values.push_back(noise);
    }
  const std::vector<double> weights = discriminant(first, second);
  for (std::size_t j = 0; j < kDimension; ++j) EXPECT_EQ(weights[j], j == 7 ? 1.0 : 0.0);
}

}  // namespace
}  // namespace doeblin::audit
