// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/comparison.hpp"

#include <cmath>

#include <nlohmann/json.hpp>

#include "doeblin/core/text.hpp"

namespace doeblin::report {
namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostAnalyses = 1000;
// Two ways to the same number may differ in its last digits.
constexpr double kTie = 1e-6;

Json parsed(std::string_view text) { return Json::parse(text.begin(), text.end(), nullptr, false); }

const Json& field(const Json& object, const char* key) {
  if (!object.is_object()) throw InvalidArgument(std::string("need an object that holds \"") + key + "\"");
  const auto found = object.find(key);
  if (found == object.end()) throw InvalidArgument(std::string("\"") + key + "\" is missing");
  return *found;
}

std::string string_at(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_string()) throw InvalidArgument(std::string("\"") + key + "\": need a text");
  return value.get<std::string>();
}

double number_at(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (value.is_string() && value.get_ref<const std::string&>() == "inf") return rounding::kInfinity;
  if (!value.is_number()) throw InvalidArgument(std::string("\"") + key + "\": need a number or \"inf\"");
  const double number = value.get<double>();
  require(number >= 0.0, key, number, "no negative number");
  return number;
}

bool flag_at(const Json& object, const char* key) {
  const Json& value = field(object, key);
  if (!value.is_boolean()) throw InvalidArgument(std::string("\"") + key + "\": need true or false");
  return value.get<bool>();
}

Bracket bracket_at(const Json& object, const char* key) {
  const Json& ends = field(object, key);
  const double lower = number_at(ends, "lower");
  const double upper = number_at(ends, "upper");
  require(lower <= upper, "lower", lower, "lower <= upper");
  return {lower, upper};
}

Relation relation_named(const std::string& text) {
  if (const auto found = kRelations.value_of(text)) return *found;
  throw InvalidArgument("relation", "'" + printable(text) + "'", kRelations.listed());
}

ComparedAnalysis analysis_of(const Json& json) {
  ComparedAnalysis analysis{string_at(json, "name"), string_at(json, "description")};
  if (json.contains("not_applicable")) {
    analysis.reason = string_at(json, "not_applicable");
    return analysis;
  }
  analysis.value = bracket_at(json, json.contains("epsilon") && json["epsilon"].is_object() ? "epsilon" : "delta");
  analysis.converged = flag_at(json, "converged");
  return analysis;
}

struct Question {
  bool is_epsilon;
  double at;

  friend bool operator==(const Question&, const Question&) = default;
};

Question question_of(const Json& json) {
  const bool is_epsilon = json.contains("epsilon") && json["epsilon"].is_object();
  const double at = number_at(json, is_epsilon ? "delta" : "epsilon");
  if (is_epsilon) static_cast<void>(Delta(at));
  return {is_epsilon, at};
}

void add_analyses(Comparison& comparison, const Json& list) {
  if (!list.is_array() || list.empty() || list.size() > kMostAnalyses)
    throw InvalidArgument("\"analyses\": need a list of 1 to 1000 analyses");
  std::optional<Question> asked;
  for (const Json& json : list) {
    comparison.analyses.push_back(analysis_of(json));
    if (!comparison.analyses.back().value) continue;
    const Question question = question_of(json);
    if (asked && !(*asked == question)) throw InvalidArgument("\"analyses\": need the same question for all of them");
    asked = question;
  }
  if (!asked) throw InvalidArgument("\"analyses\": need one that applies");
  comparison.is_epsilon = asked->is_epsilon;
  comparison.at = asked->at;
}

// The analysis of this name, which must have the smallest upper end.
std::size_t checked_best(const std::vector<ComparedAnalysis>& analyses, const std::string& text) {
  double least = rounding::kInfinity;
  for (const ComparedAnalysis& one : analyses)
    if (one.value) least = std::min(least, one.value->upper());
  for (std::size_t i = 0; i < analyses.size(); ++i)
    if (analyses[i].name == text && analyses[i].value && analyses[i].value->upper() <= least * (1.0 + kTie)) return i;
  throw InvalidArgument("best", "'" + printable(text) + "'", "the analysis with the smallest upper end");
}

Comparison comparison_of(const Json& json) {
  Comparison comparison{string_at(json, "version"), string_at(json, "expression"),
                        relation_named(string_at(json, "relation")), string_at(field(json, "neighbours"), "whose")};
  add_analyses(comparison, field(json, "analyses"));
  comparison.best = checked_best(comparison.analyses, string_at(json, "best"));
  return comparison;
}

}  // namespace

bool is_comparison(std::string_view text) {
  const Json json = parsed(text);
  return json.is_object() && json.contains("analyses");
}

Comparison read_comparison(const std::string& name, std::string_view text) {
  try {
    const Json json = parsed(text);
    if (json.is_discarded()) throw InvalidArgument("need JSON, as 'doeblin compare --json' prints it");
    return comparison_of(json);
  } catch (const InvalidArgument& error) {
    throw error.within(name);
  }
}

}  // namespace doeblin::report
