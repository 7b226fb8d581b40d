// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/comparison.hpp"

#include "json/json.hpp"

namespace doeblin::report {
namespace {

using pipeline::Answer;
using pipeline::Quantity;
using pipeline::Question;

constexpr std::size_t kMostAnalyses = 1000;

double not_negative(const JsonField& field) {
  const double x = field.number();
  if (!(x >= 0.0)) field.fail("no negative number");
  return x;
}

Bracket value_from(const JsonField& field) {
  static_cast<void>(not_negative(field["lower"]));
  return field.bracket();
}

Answer answer_from(const JsonField& field) {
  const bool is_epsilon = field.has("epsilon") && field["epsilon"].is_object();
  const Question question{is_epsilon ? Quantity::kEpsilon : Quantity::kDelta,
                          not_negative(field[is_epsilon ? "delta" : "epsilon"])};
  question.validate();
  Answer answer{question, value_from(field[is_epsilon ? "epsilon" : "delta"]), field["converged"].flag()};
  if (field.has("ends") && field["ends"]["upper"].any_text() == name(pipeline::End::kKnown))
    answer.upper_end = pipeline::End::kKnown;
  return answer;
}

ComparedAnalysis analysis_from(const JsonField& field) {
  ComparedAnalysis analysis{field["name"].any_text(), field["description"].any_text()};
  if (field.has("not_applicable"))
    analysis.reason = field["not_applicable"].any_text();
  else
    analysis.answer = answer_from(field);
  return analysis;
}

// As far as it is told.
Neighbours neighbours_from(const JsonField& field, Relation relation) {
  Neighbours about{.relation = relation};
  if (field.has("people")) about.people = not_negative(field["people"]);
  if (field.has("records") && !field["records"].is_null()) about.size = not_negative(field["records"]);
  if (field.has("public_tail")) about.public_tail = not_negative(field["public_tail"]);
  if (field.has("places")) about.places = field["places"].numbers();
  return about;
}

void add_analyses(Comparison& comparison, const JsonField& list) {
  const std::vector<JsonField> all = list.elements(kMostAnalyses);
  if (all.empty()) list.fail("a list of 1 to 1000 analyses");
  for (const JsonField& one : all) comparison.analyses.push_back(analysis_from(one));
  const Answer* first = nullptr;
  for (const ComparedAnalysis& one : comparison.analyses) {
    if (!one.answer) continue;
    if (first && first->question != one.answer->question) list.fail("the same question for all of them");
    first = &*one.answer;
  }
  if (!first) list.fail("one that applies");
  comparison.question = first->question;
}

Json parsed(std::string_view text) {
  try {
    return parsed_json(text);
  } catch (const JsonError&) {
    throw InvalidArgument("need JSON, as 'doeblin compare --json' prints it");
  }
}

Comparison comparison_from(const JsonField& whole) {
  Comparison comparison{.software_version = whole["version"].any_text(), .expression = whole["expression"].any_text()};
  comparison.neighbours = neighbours_from(whole["neighbours"], whole["relation"].relation());
  comparison.whose = whole["neighbours"]["whose"].any_text();
  add_analyses(comparison, whole["analyses"]);
  if (whole["best"].any_text() != comparison.analyses[comparison.best()].name)
    whole["best"].fail("the analysis with the smallest upper end");
  return comparison;
}

}  // namespace

bool is_comparison(std::string_view text) {
  try {
    const Json json = parsed_json(text);
    return JsonField(json).has("analyses");
  } catch (const JsonError&) {
    return false;
  }
}

Comparison read_comparison(const std::string& name, std::string_view text) {
  try {
    const Json json = parsed(text);
    return comparison_from(JsonField(json));
  } catch (const InvalidArgument& error) {
    throw error.within(name);
  }
}

}  // namespace doeblin::report
