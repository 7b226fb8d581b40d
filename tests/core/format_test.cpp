// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/format.hpp"

#include "doeblin/core/error.hpp"
#include "doeblin/core/rounding.hpp"

#include <clocale>
#include <cstdlib>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin {
namespace {

double read(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

RC_GTEST_PROP(Format, RoundsOutwardByLessThanOneUnit, ()) {
  const double x = test::log_uniform(1e-300, 1e300);
  const int digits = *rc::gen::inRange(2, 17);
  const double up = read(format_up(x, digits));
  const double down = read(format_down(x, digits));
  RC_ASSERT(up >= x);
  RC_ASSERT(down <= x);
  const double unit = x * std::pow(10.0, 1 - digits);
  RC_ASSERT(up - x <= 1.001 * unit);
  RC_ASSERT(x - down <= 1.001 * unit);
  RC_ASSERT(read(format_exact(x)) == x);
}

TEST(Format, RoundsOutward) {
  EXPECT_EQ(format_up(0.1269367375066, 6), "0.126937");
  EXPECT_EQ(format_down(0.1269367375066, 6), "0.126936");
  EXPECT_EQ(format_up(2.0, 6), "2");
  EXPECT_EQ(format_up(9.999999, 3), "10");
}

TEST(Format, Edges) {
  EXPECT_EQ(format_up(0.0), "0");
  EXPECT_EQ(format_down(0.0), "0");
  EXPECT_EQ(format_up(rounding::kInfinity), "inf");
  EXPECT_GE(read(format_up(rounding::kSmallest)), rounding::kSmallest);
  EXPECT_GE(read(format_up(rounding::kMax)), rounding::kMax);
}

TEST(Format, ReadsDecimalsWhateverTheLocale) {
  // Where there is such a locale, a comma would be the decimal point.
  std::setlocale(LC_NUMERIC, "de_DE.UTF-8");
  EXPECT_EQ(nearest_double("1.5"), 1.5);
  EXPECT_EQ(nearest_double("2.5e-3"), 2.5e-3);
  std::setlocale(LC_NUMERIC, "C");
  EXPECT_THROW(static_cast<void>(nearest_double("1,5")), InternalError);
}

}  // namespace
}  // namespace doeblin
