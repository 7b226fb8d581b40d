// SPDX-License-Identifier: Apache-2.0
#include "commands/json_output.hpp"

namespace doeblin::commands {
namespace {

// "epsilon": {...}, "delta": 1e-5, "converged": true, "ends": {...}, "why": null
Json json_answer(const Answer& one) {
  const auto [value, argument] = names(one.question.quantity);
  Json json;
  json[value] = json_bracket(one.value);
  json[argument] = json_number(one.question.argument);
  json["converged"] = one.converged;
  json["ends"] = {{"lower", name(one.lower_end)}, {"upper", name(one.upper_end)}};
  if (one.reachable) json["finite_from"] = {{"delta", one.reachable->delta}, {"included", one.reachable->is_reached}};
  json["why"] = one.converged ? Json(nullptr) : Json(one.why_not);
  return json;
}

// About whom the guarantee is.
Json json_neighbours(const Neighbours& about) {
  return {{"relation", name(about.relation)}, {"people", about.people},
          {"whose", whose_data(about)},       {"records", about.size ? Json(*about.size) : Json(nullptr)},
          {"public_tail", about.public_tail}, {"places", about.places}};
}

Json json_expression(const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); }

void add_context(Json& json, const Report& report) {
  json["relation"] = name(report.pipeline.relation());
  json["neighbours"] = json_neighbours(report.pipeline.neighbours());
  json["expression"] = json_expression(report.expression.text);
  json["version"] = DOEBLIN_VERSION;
}

Json json_steps(const pipeline::Pipeline& pipeline) {
  Json steps = Json::array();
  for (const auto& evaluated : pipeline.steps()) steps.push_back(json_step(evaluated.step));
  return steps;
}

}  // namespace

void add_pipeline(Json& json, const pipeline::Pipeline& pipeline, const std::string& expression) {
  json["analysis"] = json_steps(pipeline);
  json["relation"] = name(pipeline.relation());
  json["neighbours"] = json_neighbours(pipeline.neighbours());
  if (!expression.empty()) json["expression"] = expression;
  json["version"] = DOEBLIN_VERSION;
}

std::string json_text(const Report& report) {
  Json json;
  if (report.answers.size() == 1) json = json_answer(report.answers[0]);
  json["converged"] = report.converged();
  json["results"] = Json::array();
  for (const Answer& one : report.answers) json["results"].push_back(json_answer(one));
  add_pipeline(json, report.pipeline, report.expression.text);
  return dumped(json);
}

std::string json_explanation(const Report& report) {
  Json json;
  json["analysis"] = Json::array();
  for (const auto& evaluated : report.pipeline.steps()) {
    Json step = json_step(evaluated.step);
    step["after"] = Json::array();
    if (const pipeline::Mechanism* const guarantee = known_guarantee(evaluated))
      for (const Answer& one : report.answers) step["after"].push_back(json_answer(answer(*guarantee, one.question)));
    json["analysis"].push_back(step);
  }
  json["converged"] = report.converged();
  add_context(json, report);
  return dumped(json);
}

std::string json_calibration(const CalibrationReport& report) {
  Json json;
  json["stage"] = report.unknown.stage;
  json["parameter"] = report.unknown.parameter;
  json["value"] = report.found.value;
  json["misses"] = report.found.misses ? Json(*report.found.misses) : Json(nullptr);
  json["not_known"] = report.found.not_known ? Json(*report.found.not_known) : Json(nullptr);
  json["epsilon"] = report.target.epsilon;
  json["delta"] = json_bracket(report.found.delta);
  json["target"] = {{"epsilon", report.target.epsilon}, {"delta", report.target.delta}};
  json["open_expression"] = report.expression.text;
  add_pipeline(json, report.found.pipeline, expression_of(filled(report.expression.program, report.found.value)).text);
  return dumped(json);
}

std::string json_comparison(const pipeline::Comparison& comparison) {
  Json json;
  json["best"] = comparison.analyses[comparison.best()].name;
  json["analyses"] = Json::array();
  for (const pipeline::ComparedAnalysis& analysis : comparison.analyses) {
    Json one = {{"name", analysis.name}, {"description", analysis.description}};
    if (analysis.answer)
      one.update(json_answer(*analysis.answer));
    else
      one["not_applicable"] = analysis.reason;
    json["analyses"].push_back(one);
  }
  json["relation"] = name(comparison.neighbours.relation);
  json["neighbours"] = json_neighbours(comparison.neighbours);
  json["expression"] = comparison.expression;
  json["version"] = comparison.software_version;
  return dumped(json);
}

std::string json_error(const std::string& message) { return dumped(Json{{"error", message}}); }

}  // namespace doeblin::commands
