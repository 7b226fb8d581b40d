// SPDX-License-Identifier: Apache-2.0
#include "commands/text_output.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/language/schema.hpp"

namespace doeblin::commands {
namespace {

constexpr int kDigits = 6;

std::string value_text(const Bracket& value) {
  if (value.is_exact()) return fmt::format("= {}", format_exact(value.upper()));
  return fmt::format("<= {} (>= {})", format_up(value.upper(), kDigits), format_down(value.lower(), kDigits));
}

const char* width_mark(const Answer& one) {
  return one.converged ? "" : one.is_open() ? "   [not known more closely]" : "   [wider than promised]";
}

std::string answer_line(const Answer& one) {
  const auto [value, argument] = names(one.question.quantity);
  return fmt::format("{} {} at {} = {}{}\n", value, value_text(one.value), argument,
                     format_exact(one.question.argument), width_mark(one));
}

std::string reachable_line(const Answer& one) {
  if (!one.reachable) return "";
  const double delta = one.reachable->delta;
  return one.reachable->is_reached
             ? fmt::format("the smallest delta with a finite epsilon is {}\n", format_exact(delta))
             : fmt::format("every delta above {} has a finite epsilon\n", format_exact(delta));
}

std::string answer_table(const std::vector<Answer>& answers) {
  const auto [value, argument] = names(answers[0].question.quantity);
  std::size_t width = 12;
  for (const Answer& one : answers) width = std::max(width, format_exact(one.question.argument).size());
  std::string text = fmt::format("{:>{}}  {:>14}  {:>14}\n", argument, width, fmt::format("{} >=", value),
                                 fmt::format("{} <=", value));
  for (const Answer& one : answers)
    text +=
        fmt::format("{:>{}}  {:>14}  {:>14}{}\n", format_exact(one.question.argument), width,
                    format_down(one.value.lower(), kDigits), format_up(one.value.upper(), kDigits), width_mark(one));
  return text;
}

std::string relation_line(const Neighbours& about) {
  const std::string whose = whose_data(about);
  return fmt::format("relation: {}{}{}\n", name(about.relation),
                     about.relation == Relation::kNeutral ? " (neighbours are whatever the sensitivity refers to)" : "",
                     whose == whose_data(Neighbours()) ? "" : ", about " + whose);
}

const char* mark(const Assumption& assumption) { return assumption.checked ? "checked " : "asserted"; }

}  // namespace

std::string pipeline_summary(const pipeline::Pipeline& pipeline) {
  std::size_t longest = 0;
  for (const pipeline::Derived& one : pipeline.steps()) longest = std::max(longest, one.step.stage.size());
  std::string text = "\n";
  for (const pipeline::Derived& one : pipeline.steps())
    text += fmt::format("  {:<{}}  [{}]\n", one.step.stage, std::min<std::size_t>(longest, 60), one.step.source);
  text += "\n" + relation_line(pipeline.neighbours());
  std::vector<std::string> asserted;
  for (const pipeline::Derived& one : pipeline.steps())
    for (const auto& assumption : one.step.assumptions)
      if (!assumption.checked && std::find(asserted.begin(), asserted.end(), assumption.text) == asserted.end())
        asserted.push_back(assumption.text);
  for (const std::string& assumption : asserted) text += fmt::format("assumes: {}\n", assumption);
  return text;
}

std::string text_report(const Report& report) {
  if (report.answers.size() > 1) return answer_table(report.answers) + pipeline_summary(report.pipeline);
  return answer_line(report.answers[0]) + reachable_line(report.answers[0]) + pipeline_summary(report.pipeline);
}

std::string text_explanation(const Report& report) {
  std::string text;
  const pipeline::Mechanism* before = nullptr;
  int number = 0;
  for (const pipeline::Derived& derived : report.pipeline.steps()) {
    const Step& step = derived.step;
    const pipeline::Mechanism* const guarantee = known_guarantee(derived);
    text += fmt::format("{}. {}   [{}]\n     {}\n", ++number, step.stage, step.source, step.statement);
    for (const auto& assumption : step.assumptions)
      text += fmt::format("     {}  {}\n", mark(assumption), assumption.text);
    for (const Answer& one : guarantee != nullptr ? report.answers : std::vector<Answer>{}) {
      const auto [value, argument] = names(one.question.quantity);
      const bool has_before = before != nullptr && !step.is_source && step.stage != "+";
      text += fmt::format("     at {} = {}:  ", argument, format_exact(one.question.argument));
      if (has_before) text += fmt::format("{} {}  ->  ", value, value_text(answer(*before, one.question).value));
      text += fmt::format("{} {}\n", value, value_text(answer(*guarantee, one.question).value));
    }
    before = guarantee;
  }
  text += "\n" + relation_line(report.pipeline.neighbours());
  return text;
}

std::string text_stages() {
  std::string text;
  for (const bool sources : {true, false}) {
    text += sources ? "sources\n" : "\nstages\n";
    for (const language::Schema& schema : language::schemas()) {
      if (schema.is_source() != sources) continue;
      text += fmt::format("  {}\n      {}\n", schema.signature(), schema.summary);
      for (const auto& parameter : schema.parameters)
        text += fmt::format("      {:<12} {}\n", parameter.name, parameter.meaning);
      text += fmt::format("      example: {}\n", schema.example);
    }
  }
  return text;
}

std::string text_calibration(const CalibrationReport& report) {
  const std::string& parameter = report.unknown.parameter;
  const bool larger = report.unknown.domain.larger_is_safer;
  constexpr int kParameterDigits = 9;
  const auto safe = [&](double x) {
    return larger ? format_up(x, kParameterDigits) : format_down(x, kParameterDigits);
  };
  const auto bold = [&](double x) {
    return larger ? format_down(x, kParameterDigits) : format_up(x, kParameterDigits);
  };
  std::string text = fmt::format("{} = {} meets epsilon = {} at delta = {}\n", parameter, safe(report.found.value),
                                 format_exact(report.target.epsilon), format_exact(report.target.delta));
  text +=
      fmt::format("  delta {} at epsilon = {}\n", value_text(report.found.delta), format_exact(report.target.epsilon));
  if (report.found.misses)
    text += fmt::format("  {} = {} misses it\n", parameter, bold(*report.found.misses));
  else if (report.found.not_known)
    text += fmt::format("  {} = {} is not known to meet it\n", parameter, bold(*report.found.not_known));
  else
    text += "  so does every other value that was tried\n";
  return text + pipeline_summary(report.found.pipeline);
}

std::string text_comparison(const pipeline::Comparison& comparison) {
  const auto [value, argument] = names(comparison.question.quantity);
  std::string text = fmt::format("{} at {} = {}\n\n", value, argument, format_exact(comparison.question.argument));
  std::size_t width = 15;
  for (const pipeline::ComparedAnalysis& one : comparison.analyses) width = std::max(width, one.name.size());
  text += fmt::format("  {:<{}} {:>12}  {:>12}  \n", "analysis", width, fmt::format("{} >=", value),
                      fmt::format("{} <=", value));
  for (std::size_t i = 0; i < comparison.analyses.size(); ++i) {
    const pipeline::ComparedAnalysis& one = comparison.analyses[i];
    if (one.answer)
      text += fmt::format("{} {:<{}} {:>12}  {:>12}  {}\n", i == comparison.best() ? "*" : " ", one.name, width,
                          format_down(one.answer->value.lower(), kDigits),
                          format_up(one.answer->value.upper(), kDigits), one.description);
    else
      text += fmt::format("  {:<{}} {:>12}  {:>12}  does not apply: {}\n", one.name, width, "-", "-", one.reason);
  }
  return text + "\n" + relation_line(comparison.neighbours);
}

}  // namespace doeblin::commands
