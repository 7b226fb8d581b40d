// SPDX-License-Identifier: Apache-2.0
#include "training/column_encoder.hpp"

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/generators.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::message_of;

TEST(ColumnEncoder, MapsNumbersAndLevels) {
  const Encoding encoding{
      .columns = {{.name = "a", .bounds = Bounds{10.0, 20.0}}, {.name = "b"}, {.name = "c", .levels = {"x", "*", "y"}}},
      .label = {.name = "l", .classes = {"0", "1"}},
      .norm = 100.0,
      .intercept = 7.0};
  // In another order, and with a column that is not used.
  ColumnEncoder encoder(encoding, {"c", "unused", "l", "b", "a"}, "data.csv", true);
  using Kind = ColumnEncoder::Kind;
  ASSERT_EQ(encoder.roles().size(), 5u);
  EXPECT_EQ(encoder.roles()[0].kind, Kind::kCategory);
  EXPECT_EQ(encoder.roles()[1].kind, Kind::kIgnored);
  EXPECT_EQ(encoder.roles()[2].kind, Kind::kLabel);
  EXPECT_EQ(encoder.roles()[3].kind, Kind::kNumber);
  EXPECT_EQ(encoder.roles()[4].kind, Kind::kNumber);
  const auto encode = [&](double a, double b, const char* c) {
    encoder.set_number(encoder.roles()[4], a);
    encoder.set_number(encoder.roles()[3], b);
    EXPECT_TRUE(encoder.set_level(encoder.roles()[0], c));
    const auto row = encoder.finish();
    return std::vector<double>(row.begin(), row.end());
  };
  EXPECT_EQ(encode(15.0, -3.5, "x"), (std::vector<double>{0.5, -3.5, 1.0, 0.0, 0.0, 7.0}));
  EXPECT_EQ(encode(10.0, 0.0, "y"), (std::vector<double>{0.0, 0.0, 0.0, 0.0, 1.0, 7.0}));
  EXPECT_EQ(encode(9.0, 0.0, "other"), (std::vector<double>{0.0, 0.0, 0.0, 1.0, 0.0, 7.0}));
  EXPECT_EQ(encode(20.0, 0.0, "*"), (std::vector<double>{1.0, 0.0, 0.0, 1.0, 0.0, 7.0}));
  EXPECT_EQ(encode(1e308, 0.0, ""), (std::vector<double>{1.0, 0.0, 0.0, 1.0, 0.0, 7.0}));
  // The intercept is not scaled.
  const auto far = encode(10.0, -1e300, "x");
  EXPECT_NEAR(far[1], -100.0, 1e-10);
  EXPECT_EQ(far[5], 7.0);
}

RC_GTEST_PROP(ColumnEncoder, BoundsBecomeZeroAndOne, ()) {
  const double low = test::uniform(-1e3, 1e3);
  const Bounds bounds{low, low + test::log_uniform(1e-9, 1e9)};
  RC_ASSERT(mapped(bounds.low, bounds) == 0.0);
  RC_ASSERT(mapped(bounds.high, bounds) == 1.0);
  RC_ASSERT(mapped(-1e308, bounds) == 0.0);
  RC_ASSERT(mapped(1e308, bounds) == 1.0);
  const double inside = mapped(test::uniform(bounds.low, bounds.high), bounds);
  RC_ASSERT(inside >= 0.0 && inside <= 1.0);
}

TEST(ColumnEncoder, RefusesFilesWithoutItsColumns) {
  const Encoding encoding{.columns = {{.name = "age"}, {.name = "city"}},
                          .label = {.name = "ill", .classes = {"0", "1"}}};
  const auto refusal_of = [&](const std::vector<std::string>& columns, bool needs_label) {
    return message_of<InvalidArgument>([&] { ColumnEncoder(encoding, columns, "data.csv", needs_label); });
  };
  EXPECT_EQ(refusal_of({"age", "city", "ill"}, true), "nothing was thrown");
  EXPECT_EQ(refusal_of({"city", "age"}, false), "nothing was thrown");
  EXPECT_EQ(refusal_of({"city", "age"}, true), "data.csv:1: there is no column 'ill'");
  EXPECT_EQ(refusal_of({"city", "agee"}, false), "data.csv:1: there is no column 'age', did you mean 'agee'?");
}

}  // namespace
}  // namespace doeblin::training
