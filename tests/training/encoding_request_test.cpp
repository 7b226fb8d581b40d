// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "doeblin/training/encoding.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::message_of;

const std::vector<std::string> kHeader = {"id", "word_freq_you", "word_freq_me", "length", "city", "spam"};

EncodingRequest request() {
  return {.label = "spam",
          .classes = {"0", "1"},
          .bounds = {{"word_freq_*", {0.0, 2.0}}, {"length", {1.0, 9.0}}},
          .categorical = {{"city", {"Oslo", "Rome"}}},
          .dropped = {"id"},
          .norm = 2.0,
          .intercept = 0.5};
}

template <typename Change>
std::string request_refusal(const Change& change) {
  EncodingRequest one = request();
  change(one);
  return message_of<InvalidArgument>([&] { static_cast<void>(resolve(one, kHeader, "data.csv")); });
}

TEST(EncodingRequest, FindsColumnsByNameAndPattern) {
  const Encoding encoding = resolve(request(), kHeader, "data.csv");
  const Encoding expected{.columns = {{.name = "word_freq_you", .bounds = Bounds{0.0, 2.0}},
                                      {.name = "word_freq_me", .bounds = Bounds{0.0, 2.0}},
                                      {.name = "length", .bounds = Bounds{1.0, 9.0}},
                                      {.name = "city", .levels = {"Oslo", "Rome"}}},
                          .label = {.name = "spam", .classes = {"0", "1"}},
                          .norm = 2.0,
                          .intercept = 0.5};
  EXPECT_EQ(encoding, expected);
}

TEST(EncodingRequest, TheFirstPatternCounts) {
  EncodingRequest one = request();
  one.bounds = {{"word_freq_me", {0.0, 1.0}}, {"*", {0.0, 3.0}}};
  const Encoding encoding = resolve(one, kHeader, "data.csv");
  EXPECT_EQ(encoding.columns[0].bounds, (Bounds{0.0, 3.0}));
  EXPECT_EQ(encoding.columns[1].bounds, (Bounds{0.0, 1.0}));
  EXPECT_EQ(encoding.columns[2].bounds, (Bounds{0.0, 3.0}));
  EXPECT_EQ(encoding.columns[3].bounds, std::nullopt);
  one.bounds.clear();
  EXPECT_EQ(resolve(one, kHeader, "data.csv").columns[0].bounds, std::nullopt);
}

TEST(EncodingRequest, RefusesWithTheNearestName) {
  EXPECT_EQ(request_refusal([](EncodingRequest&) {}), "nothing was thrown");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.label = "span"; }),
            "label = 'span', need a column of data.csv, did you mean 'spam'?");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.label = ""; }), "label = '', need a column of data.csv");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.dropped = {"ide"}; }),
            "drop = 'ide', need a column of data.csv, did you mean 'id'?");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.categorical[0].name = "town"; }),
            "categorical = 'town', need a column of data.csv");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.categorical[0].levels.clear(); }),
            "categorical = 'city', need at least one level");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.dropped = {"spam"}; }),
            "drop = 'spam', need a column that is declared once, not as label too");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) {
              r.dropped = {"id", "id"};
            }),
            "drop = 'id', need a column that is declared once, not as drop too");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) {
              r.dropped = {"id", "city"};
            }),
            "categorical = 'city', need a column that is declared once, not as drop too");
  const std::string unused = ", need a column of numbers that no earlier pattern matches";
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.bounds[0].pattern = "char_*"; }), "bounds = 'char_*'" + unused);
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.bounds[1].pattern = "lenght"; }),
            "bounds = 'lenght'" + unused + ", did you mean 'length'?");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.bounds[1].pattern = "id"; }), "bounds = 'id'" + unused);
  EXPECT_EQ(request_refusal([](EncodingRequest& r) {
              r.bounds = {{"*", {0.0, 1.0}}, {"length", {0.0, 2.0}}};
            }),
            "bounds = 'length'" + unused);
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.features = 4; }),
            "features = 4, need a LIBSVM file; others say it themselves");
  EXPECT_EQ(request_refusal([](EncodingRequest& r) { r.norm = -1.0; }), "norm = -1, need 1e-100 <= norm <= 1e100");
  EncodingRequest all{.label = "y", .classes = {"0", "1"}, .dropped = {"x"}};
  EXPECT_EQ(message_of<InvalidArgument>([&] {
              static_cast<void>(resolve(all, {"x", "y"}, "data.csv"));
            }),
            "data.csv: no column is left, need one for features");
}

TEST(EncodingRequest, NumbersColumnsInRuns) {
  EncodingRequest one{.classes = {"-1", "1"}, .features = 25};
  EXPECT_EQ(resolve_numbered(one).numbered, (std::vector<NumberedColumns>{{.count = 25}}));
  EXPECT_EQ(resolve_numbered(one).label.name, "label");
  one.bounds = {{"7", {0.0, 1.0}}, {"1?", {0.0, 2.0}}};
  EXPECT_EQ(resolve_numbered(one).numbered, (std::vector<NumberedColumns>{{.count = 6},
                                                                          {.count = 1, .bounds = Bounds{0.0, 1.0}},
                                                                          {.count = 2},
                                                                          {.count = 10, .bounds = Bounds{0.0, 2.0}},
                                                                          {.count = 6}}));
  one.bounds = {{"*", {0.0, 1.0}}};
  one.features = 1'000'000;
  EXPECT_EQ(resolve_numbered(one).numbered,
            (std::vector<NumberedColumns>{{.count = 1'000'000, .bounds = Bounds{0.0, 1.0}}}));
}

TEST(EncodingRequest, RefusesNamesOfNumberedColumns) {
  const auto numbered_refusal = [](const auto& change) {
    EncodingRequest one{.classes = {"-1", "1"}, .features = 5};
    change(one);
    return message_of<InvalidArgument>([&] { static_cast<void>(resolve_numbered(one)); });
  };
  EXPECT_EQ(numbered_refusal([](EncodingRequest& r) { r.features = 0; }),
            "features = 0, need from 1 to 2^27, the largest index of a LIBSVM file");
  EXPECT_EQ(numbered_refusal([](EncodingRequest& r) { r.label = "y"; }),
            "label = 'y', need a file whose columns have names");
  EXPECT_EQ(numbered_refusal([](EncodingRequest& r) { r.dropped = {"y"}; }),
            "drop = 'y', need a file whose columns have names");
  EXPECT_EQ(numbered_refusal([](EncodingRequest& r) {
              r.categorical = {{"y", {"a"}}};
            }),
            "categorical = 'y', need a file whose columns have names");
  EXPECT_EQ(numbered_refusal([](EncodingRequest& r) {
              r.bounds = {{"6", {0.0, 1.0}}};
            }),
            "bounds = '6', need a column of numbers that no earlier pattern matches");
  EXPECT_EQ(numbered_refusal([](EncodingRequest& r) {
              r.bounds = {{"*", {-1.0, 1.0}}};
            }),
            "low bound of numbered columns = -1, need 0, since what is not written is 0");
}

}  // namespace
}  // namespace doeblin::training
