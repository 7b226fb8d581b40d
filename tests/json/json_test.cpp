// SPDX-License-Identifier: Apache-2.0
#include "json/json.hpp"

#include <cmath>
#include <string>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

constexpr double kInfinity = rounding::kInfinity;

std::string refusal(const std::string& text) {
  try {
    static_cast<void>(parsed_json(text));
  } catch (const JsonError& error) {
    return error.what();
  }
  return "";
}

TEST(Json, NumbersComeBackAsTheyWere) {
  for (const double x : {0.0, -0.0, 1.0 / 3.0, 1e-310, -1e300, 5e-324, kInfinity, -kInfinity}) {
    const Json plain = parsed_json(dumped(json_number(x)));
    const Json exact = parsed_json(dumped_on_one_line(json_exact(x)));
    EXPECT_EQ(JsonField(plain).number(), x);
    EXPECT_EQ(JsonField(exact).exact(), x);
    EXPECT_EQ(std::signbit(JsonField(exact).exact()), std::signbit(x));
  }
}

TEST(Json, BracketsComeBackAsTheyWere) {
  const Bracket value(0.1, kInfinity);
  const Json plain = json_bracket(value);
  const Json exact = json_exact_bracket(value);
  EXPECT_EQ(dumped_on_one_line(plain), R"({"lower":0.1,"upper":"inf"})");
  EXPECT_EQ(JsonField(plain).bracket(), value);
  EXPECT_EQ(JsonField(exact).exact_bracket(), value);
}

TEST(Json, TextThatIsNotUtf8IsReplaced) { EXPECT_EQ(dumped("a\xff"), "\"a\xef\xbf\xbd\""); }

TEST(Json, DocumentsAreStrict) {
  EXPECT_EQ(refusal("{\"a\": 1, \"b\": {\"a\": 2}}"), "");
  EXPECT_EQ(refusal("{\"a\": 1, \"a\": 2}"), "the field 'a' stands there twice");
  EXPECT_EQ(refusal(std::string("[1]\0", 4)), "a byte that is 0");
  EXPECT_EQ(refusal("[1,"), "byte 4: not JSON");
  EXPECT_EQ(refusal(std::string(200, '[') + std::string(200, ']')), "nested too deeply");
  EXPECT_NE(refusal("1e999"), "");
}

TEST(Json, FieldsSayWhereTheMistakeIs) {
  const Json json = parsed_json(R"({"a": {"b": [1, "x", null, 2.5, true]}, "t": "\u001b[31m", "r": "zero_out"})");
  const JsonField whole(json);
  const auto list = whole["a"]["b"].elements();
  const auto message = [](const auto& read) {
    try {
      static_cast<void>(read());
    } catch (const JsonError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(list[0].integer(), 1.0);
  EXPECT_TRUE(list[4].flag());
  EXPECT_EQ(whole["r"].relation(), Relation::kZeroOut);
  EXPECT_EQ(whole["t"].any_text(), "\x1b[31m");
  EXPECT_EQ(message([&] { return whole["t"].text(); }), "/t: need a text without control characters");
  EXPECT_EQ(message([&] { return list[1].number(); }), "/a/b/1: need a number or \"inf\"");
  EXPECT_EQ(message([&] { return list[3].integer(); }), "/a/b/3: need a whole number");
  EXPECT_EQ(message([&] { return list[2].any_text(); }), "/a/b/2: need a text");
  EXPECT_EQ(message([&] { return whole["a"]["c"].flag(); }), "/a: need a field 'c'");
  EXPECT_EQ(message([&] { return whole["x"].flag(); }), "the whole: need a field 'x'");
  EXPECT_EQ(message([&] { return whole["a"]["b"].numbers(); }), "/a/b: need a list of numbers");
  EXPECT_EQ(message([&] { return whole["a"]["b"].any_texts(); }), "/a/b: need a list of texts");
  EXPECT_EQ(message([&] { return whole["a"]["b"].elements(4); }), "/a/b: need a list of at most 4 elements");
}

}  // namespace
}  // namespace doeblin
