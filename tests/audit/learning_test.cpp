// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/learning.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::audit {
namespace {

using rounding::kInfinity;

class Random {
 public:
  explicit Random(std::uint64_t seed) : stream_(sampling::RandomSource::insecure(seed).stream()) {}
  double uniform() { return (static_cast<double>(stream_.next() >> 11U) + 0.5) * 0x1p-53; }
  double normal() { return std::sqrt(-2.0 * std::log(uniform())) * std::cos(2.0 * M_PI * uniform()); }

 private:
  sampling::RandomStream stream_;
};

Outputs drawn(std::size_t count, const std::function<double()>& draw) {
  Outputs outputs{1};
  for (std::size_t i = 0; i < count; ++i) outputs.values.push_back(draw());
  return outputs;
}

TEST(Learning, ATailForShiftedNumbersInTheRightDirection) {
  Random random(1);
  const Outputs high = drawn(20000, [&] { return random.normal() + 1.0; });
  const Outputs low = drawn(20000, [&] { return random.normal(); });
  const Event one = learn_events(high, low, {.delta = 0.01}).for_epsilon;
  ASSERT_EQ(one.intervals.size(), 1u);
  if (one.intervals[0].high == kInfinity) {
    EXPECT_EQ(one.likely, Side::kFirst);
  } else {
    EXPECT_EQ(one.likely, Side::kSecond);
  }
  const Event other = learn_events(low, high, {.delta = 0.01}).for_epsilon;
  ASSERT_EQ(other.intervals.size(), 1u);
  EXPECT_EQ(other.likely == Side::kFirst, other.intervals[0].low == -kInfinity);
}

TEST(Learning, TheLevelOfGaussiansIsBestSeenNearTheMiddle) {
  Random random(2);
  const Outputs high = drawn(40000, [&] { return random.normal() + 1.0; });
  const Outputs low = drawn(40000, [&] { return random.normal(); });
  const Event event = learn_events(high, low, {.delta = 0.01}).for_mu;
  const double t = std::isinf(event.intervals[0].low) ? event.intervals[0].high : event.intervals[0].low;
  EXPECT_GT(t, -1.0);
  EXPECT_LT(t, 2.0);
}

// What gives a value away stands in the middle, where no tail finds it.
TEST(Learning, CellsWhereTheRatioIsNotMonotone) {
  Random random(3);
  const Outputs wide = drawn(20000, [&] { return 3.0 * random.normal(); });
  const Outputs narrow = drawn(20000, [&] { return random.normal(); });
  const Event event = learn_events(narrow, wide, {.delta = 0.1}).for_epsilon;
  // Likely on the wide one: far from 0 on both sides. Or on the narrow one: around 0.
  EXPECT_EQ(event.contains(std::vector{5.0}), event.likely == Side::kSecond);
  EXPECT_EQ(event.contains(std::vector{-5.0}), event.likely == Side::kSecond);
  EXPECT_EQ(event.contains(std::vector{0.0}), event.likely == Side::kFirst);
}

TEST(Learning, ValuesOneByOne) {
  // 1 and 3 are likelier on the first input, 0 and 2 on the second.
  Random random(4);
  const Outputs first =
      drawn(8000, [&] { return std::floor(2.0 * random.uniform()) * 2.0 + (random.uniform() < 0.8 ? 1.0 : 0.0); });
  const Outputs second =
      drawn(8000, [&] { return std::floor(2.0 * random.uniform()) * 2.0 + (random.uniform() < 0.2 ? 1.0 : 0.0); });
  const Event event = learn_events(first, second, {}).for_epsilon;
  const bool is_odd = event.likely == Side::kFirst;
  EXPECT_EQ(event.contains(std::vector{1.0}), is_odd);
  EXPECT_EQ(event.contains(std::vector{3.0}), is_odd);
  EXPECT_EQ(event.contains(std::vector{0.0}), !is_odd);
  EXPECT_EQ(event.contains(std::vector{2.0}), !is_odd);
}

TEST(Learning, CategoriesHaveNoOrder) {
  Random random(5);
  const Outputs first = drawn(4000, [&] { return random.uniform() < 0.7 ? 17.0 : 5.0; });
  const Outputs second = drawn(4000, [&] { return random.uniform() < 0.3 ? 17.0 : 5.0; });
  const Event event = learn_events(first, second, {.is_categorical = true}).for_epsilon;
  for (const Interval& one : event.intervals) EXPECT_EQ(one.low, one.high);
}

TEST(Learning, ADirectionThatIsGivenIsTried) {
  Random random(6);
  // Few runs, many coordinates: the direction cannot be found, but it can be told.
  constexpr std::size_t kDimension = 100;
  const auto runs = [&](double shift) {
    Outputs outputs{kDimension};
    for (std::size_t i = 0; i < 400; ++i)
      for (std::size_t j = 0; j < kDimension; ++j) outputs.values.push_back(random.normal() + (j == 40 ? shift : 0.0));
    return outputs;
  };
  std::vector<double> direction(kDimension, 0.0);
  direction[40] = 1.0;
  const Outputs first = runs(2.0);
  const Outputs second = runs(0.0);
  EXPECT_EQ(learn_events(first, second, {.directions = {direction}}).for_epsilon.weights, direction);
}

TEST(Learning, EqualOutputsGiveSomeEvent) {
  const Outputs same{1, std::vector<double>(10, 3.0)};
  const LearnedEvents events = learn_events(same, same, {});
  EXPECT_FALSE(events.for_epsilon.intervals.empty());
  EXPECT_FALSE(events.for_mu.intervals.empty());
}

TEST(Learning, NeedsOutputs) {
  EXPECT_THROW(static_cast<void>(learn_events({1, {1.0}}, {1, {1.0, 2.0}}, {})), InternalError);
  EXPECT_THROW(static_cast<void>(learn_events({1, {1.0, 2.0}}, {2, {1.0, 2.0, 3.0, 4.0}}, {})), InternalError);
}

}  // namespace
}  // namespace doeblin::audit
