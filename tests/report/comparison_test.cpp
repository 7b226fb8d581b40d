// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/comparison.hpp"

#include <gtest/gtest.h>

namespace doeblin::report {
namespace {

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

const std::string kText = R"json({"best": "best", "analyses": [
  {"name": "best", "description": "d", "epsilon": {"lower": 1.0, "upper": 1.5}, "delta": 1e-05, "converged": true},
  {"name": "basic", "description": "e", "epsilon": {"lower": 0, "upper": "inf"}, "delta": 1e-05, "converged": false},
  {"name": "other", "description": "f", "not_applicable": "no"}],
  "relation": "add_remove", "neighbours": {"whose": "one person's data", "people": 2, "records": 9, "public_tail": 1, "places": []},
  "expression": "gaussian(sigma=1)",
                  "version" : "0.1.0"
})json";

std::string error_of(const std::string& text) {
  try {
    static_cast<void>(read_comparison("c.json", text));
  } catch (const InvalidArgument& error) {
    return error.what();
  }
  return "";
}

TEST(Comparison, IsReadAsItIsPrinted) {
  const Comparison read = read_comparison("c.json", kText);
  const pipeline::Question asked{pipeline::Quantity::kEpsilon, 1e-5};
  Comparison expected;
  expected.software_version = "0.1.0";
  expected.expression = "gaussian(sigma=1)";
  expected.neighbours.relation = Relation::kAddRemove;
  expected.neighbours.people = 2.0;
  expected.neighbours.size = 9.0;
  expected.neighbours.public_tail = 1.0;
  expected.whose = "one person's data";
  expected.question = asked;
  expected.analyses = {{"best", "d", pipeline::Answer{asked, Bracket(1.0, 1.5)}},
                       {"basic", "e", pipeline::Answer{asked, Bracket(0.0, rounding::kInfinity), false}},
                       {"other", "f", std::nullopt, "no"}};
  EXPECT_EQ(read, expected);
  EXPECT_EQ(read.best(), 0u);
}

TEST(Comparison, DeltaAtAnEpsilon) {
  const Comparison read =
      read_comparison("c", R"json({"best": "a", "analyses": [{"name": "a", "description": "", "delta":
    {"lower": 0, "upper": 1e-300}, "epsilon": 1, "converged": true}], "relation": "neutral", "neighbours": {"whose": ""}, "expression": "", "version": ""})json");
  EXPECT_EQ(read.question, (pipeline::Question{pipeline::Quantity::kDelta, 1.0}));
  EXPECT_EQ(read.analyses[0].answer->value.upper(), 1e-300);
}

TEST(Comparison, IsToldFromOtherFiles) {
  EXPECT_TRUE(is_comparison(kText));
  for (const char* other : {"", "{}", "[]", "null", "{\"format\": 1}", "not json", "{\"analyses\": "})
    EXPECT_FALSE(is_comparison(other)) << other;
}

TEST(Comparison, MistakesAreNamed) {
  EXPECT_EQ(error_of(kText), "");
  EXPECT_EQ(error_of("{"), "c.json: need JSON, as 'doeblin compare --json' prints it");
  EXPECT_EQ(error_of("[]"), "c.json: the whole: need a field 'version'");
  const struct {
    const char *from, *to, *message;
  } cases[] = {
      {"\"version\"", "\"verzion\"", "need a field 'version'"},
      {"\"0.1.0\"", "1", "/version: need a text"},
      {"\"add_remove\"", "\"sideways\"", "/relation: need another value than 'sideways'"},
      {"\"relation\": \"add_remove\"", "\"relation\": null", "/relation: need a text"},
      {"\"whose\": \"one", "\"whom\": \"one", "/neighbours: need a field 'whose'"},
      {"\"people\": 2", "\"people\": -2", "/neighbours/people: need no negative number"},
      {"\"best\": \"best\"", "\"best\": \"basic\"", "/best: need the analysis with the smallest upper end"},
      {"\"best\": \"best\"", "\"best\": \"other\"", "/best: need the analysis"},
      {"\"best\": \"best\"", "\"best\": 3", "/best: need a text"},
      {"\"lower\": 1.0", "\"lower\": 2.0", "/analyses/0/epsilon: need lower <= upper"},
      {"\"lower\": 1.0", "\"lower\": -1.0", "/analyses/0/epsilon/lower: need no negative number"},
      {"\"lower\": 1.0", "\"lower\": \"1\"", "/lower: need a number or \"inf\""},
      {"\"lower\": 1.0", "\"lower\": null", "/lower: need a number or \"inf\""},
      {"\"lower\": 1.0, ", "", "/analyses/0/epsilon: need a field 'lower'"},
      {"\"delta\": 1e-05", "\"delta\": 2", "delta = 2, need 0 < delta <= 1"},
      {"\"delta\": 1e-05", "\"delta\": 1e-06", "/analyses: need the same question for all of them"},
      {"\"converged\": true", "\"converged\": 1", "/converged: need true or false"},
      {"\"not_applicable\": \"no\"", "\"not_applicable\": 0", "/not_applicable: need a text"},
      {"\"upper\": 1.5", "\"upper\": 1e999", "need JSON"},
      {"\"upper\": 1.5", "\"upper\": 1.5, \"upper\": 1", "need JSON"},
      {"{\"name\": \"other\", \"description\": \"f\", \"not_applicable\": \"no\"}", "7",
       "/analyses/2: need a field 'name'"},
  };
  for (const auto& one : cases)
    EXPECT_NE(error_of(replaced(kText, one.from, one.to)).find(one.message), std::string::npos)
        << one.from << " -> " << one.to << ": " << error_of(replaced(kText, one.from, one.to));
  EXPECT_NE(
      error_of(
          R"json({"version": "", "expression": "", "relation": "neutral", "neighbours": {"whose": ""}, "best": "", "analyses": []})json")
          .find("1 to 1000"),
      std::string::npos);
  EXPECT_NE(
      error_of(
          R"json({"version": "", "expression": "", "relation": "neutral", "neighbours": {"whose": ""}, "best": "", "analyses": [{"name": "",
    "description": "", "not_applicable": ""}]})json")
          .find("need one that applies"),
      std::string::npos);
}

}  // namespace
}  // namespace doeblin::report
