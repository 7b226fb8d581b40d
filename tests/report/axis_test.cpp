// SPDX-License-Identifier: Apache-2.0
#include "report/axis.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"

namespace doeblin::report {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Axis, LinearPlaces) {
  const Axis axis = Axis::linear(0.0, 4.0);
  EXPECT_EQ(axis.place(0.0), 0.0);
  EXPECT_EQ(axis.place(1.0), 0.25);
  EXPECT_EQ(axis.place(9.0), 1.0);
  EXPECT_EQ(axis.place(kInfinity), 1.0);
  EXPECT_LT(axis.unlimited_place(-1.0), 0.0);
}

TEST(Axis, LogarithmicPlaces) {
  const Axis axis = Axis::logarithmic(-4, 0);
  EXPECT_DOUBLE_EQ(axis.place(1e-2), 0.5);
  EXPECT_EQ(axis.place(0.0), 0.0);
  EXPECT_EQ(axis.place(1e-300), 0.0);
  EXPECT_EQ(axis.unlimited_place(0.0), -kInfinity);
  EXPECT_LT(axis.unlimited_place(1e-300), -1.0);
}

TEST(Axis, RefusesWhatHasNoLength) {
  EXPECT_THROW(static_cast<void>(Axis::linear(1.0, 1.0)), InternalError);
  EXPECT_THROW(static_cast<void>(Axis::linear(0.0, kInfinity)), InternalError);
  EXPECT_THROW(static_cast<void>(Axis::logarithmic(0, 0)), InternalError);
}

TEST(Axis, ChoosesPowersOfTenForManyOfThem) {
  EXPECT_FALSE(Axis::for_values({1.0, 0.01}).is_logarithmic());
  EXPECT_TRUE(Axis::for_values({1.0, 1e-4}).is_logarithmic());
  EXPECT_FALSE(Axis::for_values({1.0, 0.0}).is_logarithmic());
  EXPECT_FALSE(Axis::for_values({}).is_logarithmic());
  EXPECT_FALSE(Axis::for_values({0.0, kInfinity}).is_logarithmic());
  // Fifteen powers, not three hundred.
  EXPECT_DOUBLE_EQ(Axis::for_values({1.0, 1e-300}).low(), 1e-15);
}

TEST(Axis, TicksAreRoundNumbers) {
  const auto labels = [](const Axis& axis, int most) {
    std::vector<std::string> all;
    for (const Tick& tick : axis.ticks(most)) all.push_back(tick.label);
    return all;
  };
  EXPECT_EQ(labels(Axis::linear(0.0, 1.0), 5), (std::vector<std::string>{"0", "0.2", "0.4", "0.6", "0.8", "1.0"}));
  EXPECT_EQ(labels(Axis::linear(1.0, 60000.0), 6).back(), "60,000");
  EXPECT_EQ(labels(Axis::logarithmic(-4, 0), 8), (std::vector<std::string>{"10⁻⁴", "10⁻³", "10⁻²", "10⁻¹", "1"}));
  EXPECT_EQ(labels(Axis::logarithmic(-300, 0), 3).front(), "10⁻³⁰⁰");
}

RC_GTEST_PROP(Axis, PlacesIncreaseAndTicksAreWithin, ()) {
  const std::vector<double> values{test::log_uniform(1e-300, 1e300), test::log_uniform(1e-3, 1e3),
                                   *rc::gen::element(0.0, 1.0, 1e-300, 4.9e-324, 1.7e308, kInfinity)};
  const Axis axis = Axis::for_values(values);
  const double a = test::log_uniform(1e-310, 1e300);
  const double b = a * test::uniform(1.0, 10.0);
  RC_ASSERT(axis.place(a) >= 0.0 && axis.place(b) <= 1.0);
  RC_ASSERT(axis.place(a) <= axis.place(b));
  RC_ASSERT(axis.unlimited_place(a) <= axis.unlimited_place(b));
  const int most = *rc::gen::inRange(3, 10);
  const std::vector<Tick> ticks = axis.ticks(most);
  RC_ASSERT(!ticks.empty() && ticks.size() <= static_cast<std::size_t>(most) + 1);
  for (const Tick& tick : ticks) {
    RC_ASSERT(axis.unlimited_place(tick.value) >= -1e-9 && axis.unlimited_place(tick.value) <= 1.0 + 1e-9);
    RC_ASSERT(!tick.label.empty() && tick.label.size() < 20);
  }
}

}  // namespace
}  // namespace doeblin::report
