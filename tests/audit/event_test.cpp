// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/event.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"

namespace doeblin::audit {
namespace {

using rounding::kInfinity;

bool holds(const Event& event, double x) { return event.contains(std::vector{x}); }

TEST(Event, IntervalsContainTheirEnds) {
  const Event event{.intervals = {{-kInfinity, -2.0}, {1.0, 1.0}, {3.0, 4.0}}};
  for (const double x : {-1e300, -2.0, 1.0, 3.0, 3.5, 4.0}) EXPECT_TRUE(holds(event, x)) << x;
  for (const double x : {std::nextafter(-2.0, 0.0), 0.0, std::nextafter(1.0, 2.0), std::nextafter(1.0, 0.0), 2.0,
                         std::nextafter(3.0, 0.0), std::nextafter(4.0, 5.0), 1e300})
    EXPECT_FALSE(holds(event, x)) << x;
  EXPECT_FALSE(holds(Event{}, 0.0));
}

TEST(Event, LooksAtAWeightedSum) {
  const Event event{.weights = {1.0, -2.0}, .intervals = {{0.0, kInfinity}}};
  EXPECT_TRUE(event.contains(std::vector{4.0, 2.0}));
  EXPECT_FALSE(event.contains(std::vector{3.9, 2.0}));
  EXPECT_EQ(event.count_in({2, {4.0, 2.0, 1.0, 1.0, 5.0, -3.0}}), 2u);
  EXPECT_THROW(static_cast<void>(event.count_in({1, {4.0}})), InternalError);
  EXPECT_THROW(static_cast<void>(Event{}.count_in({2, {4.0, 1.0}})), InternalError);
}

TEST(Event, HasWords) {
  EXPECT_EQ(text_of(Event{.intervals = {{3.25, kInfinity}}}), "output >= 3.25");
  EXPECT_EQ(text_of(Event{.intervals = {{-kInfinity, -1.0}}}), "output <= -1");
  EXPECT_EQ(text_of(Event{.intervals = {{1.0, 1.0}, {2.0, 3.0}}}), "output = 1 or 2 <= output <= 3");
  EXPECT_EQ(text_of(Event{.intervals = {{-kInfinity, kInfinity}}}), "output is anything");
  EXPECT_EQ(text_of(Event{}), "nothing");
  EXPECT_EQ(text_of(Event{.weights = {0.0, 1.0}, .intervals = {{2.0, kInfinity}}}), "output[2] >= 2");
  EXPECT_EQ(text_of(Event{.weights = {1.0, -0.5}, .intervals = {{2.0, kInfinity}}}),
            "1 output[1] - 0.5 output[2] >= 2");
  EXPECT_EQ(text_of(Event{.weights = std::vector<double>(9, 1.0), .intervals = {{2.0, kInfinity}}}),
            "weighted sum of 9 outputs >= 2");
  const Event many{.intervals = {{1, 1}, {2, 2}, {3, 3}, {4, 4}, {5, 5}, {6, 6}}};
  EXPECT_EQ(text_of(many), "output = 1 or output = 2 or output = 3 or output = 4 or in 2 more places");
  EXPECT_EQ(text_of(Event{.intervals = {{1.0, 1.0}}}, [](double) { return "'yes'"; }), "output = 'yes'");
}

TEST(Outputs, AreRowsOfFiniteNumbers) {
  const Outputs outputs{2, {1.0, 2.0, 3.0, 4.0}};
  EXPECT_EQ(outputs.count(), 2u);
  EXPECT_EQ(outputs.row(1)[0], 3.0);
  EXPECT_NO_THROW(outputs.validate(2));
  EXPECT_THROW(outputs.validate(1), InvalidArgument);
  EXPECT_THROW((Outputs{1, {1.0, std::nan("")}}.validate(1)), InvalidArgument);
  EXPECT_THROW((Outputs{1, {kInfinity}}.validate(1)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::audit
