// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <fmt/format.h>

#include "certificate/certificate_json.hpp"
#include "certificate/setting_names.hpp"
#include "certificate/sha256.hpp"
#include "doeblin/certificate/certificate_file.hpp"

namespace doeblin::certificate {
namespace {

// As people read it, and as it is.
Json json_number(double x) {
  if (std::isinf(x)) return {{"decimal", x > 0.0 ? "inf" : "-inf"}, {"hexadecimal", x > 0.0 ? "inf" : "-inf"}};
  return {{"decimal", x}, {"hexadecimal", fmt::format("{:a}", x)}};
}

Json json_argument(const pipeline::Argument& value) {
  return std::holds_alternative<double>(value) ? json_number(std::get<double>(value))
                                               : Json(std::get<std::string>(value));
}

Json json_bracket(const Bracket& x) { return {{"lower", json_number(x.lower())}, {"upper", json_number(x.upper())}}; }

Json json_question(bool is_epsilon, double at) {
  return {{"quantity", is_epsilon ? "epsilon" : "delta"}, {is_epsilon ? "delta" : "epsilon", json_number(at)}};
}

Json json_claim(const Claim& claim) {
  Json json = json_question(claim.is_epsilon, claim.at);
  json.update(json_bracket(claim.value));
  return json;
}

Json json_person(const PersonPoint& point) {
  Json json{{"record", point.record}};
  json.update(json_bracket(point.value));
  return json;
}

Json json_people(const PeopleClaim& people) {
  Json json = json_question(people.is_epsilon, people.at);
  json["records"] = people.count;
  json["worst"] = json_person(people.worst);
  json["median"] = json_number(people.median);
  json["best"] = json_person(people.best);
  json["points"] = Json::array();
  for (const PersonPoint& point : people.points) json["points"].push_back(json_person(point));
  return json;
}

Json json_program(const pipeline::Program& program) {
  if (program.kind == pipeline::Program::Kind::kCall) {
    Json arguments = Json::object();
    for (const auto& [parameter, value] : program.call.arguments) arguments[parameter] = json_argument(value);
    return {{"call", program.call.name}, {"arguments", arguments}};
  }
  Json parts = Json::array();
  for (const pipeline::Program& part : program.parts) parts.push_back(json_program(part));
  return {{program.kind == pipeline::Program::Kind::kPipe ? "pipe" : "sum", parts}};
}

Json json_schedule(const std::shared_ptr<const pipeline::Schedule>& schedule) {
  if (!schedule) return nullptr;
  Json json = Json::object();
  for (const auto& [column, list] : kScheduleColumns) {
    json[column] = Json::array();
    for (const double x : *schedule.*list) json[column].push_back(json_number(x));
  }
  return json;
}

Json json_settings(const pipeline::Settings& settings) {
  Json goal = Json::object();
  for (const auto& [field, member] : kGoalFields) goal[field] = json_number(settings.goal.*member);
  return {{"accountant", pipeline::kAccountants.word_of(settings.accountant)},
          {"goal", goal},
          {"schedule", json_schedule(settings.schedule)}};
}

Json json_step(const pipeline::Step& step) {
  Json assumptions = Json::array();
  for (const pipeline::Assumption& assumption : step.assumptions)
    assumptions.push_back({{"text", assumption.text}, {"status", assumption.checked ? "checked" : "asserted"}});
  return {{"stage", step.stage}, {"source", step.source}, {"statement", step.statement}, {"assumptions", assumptions}};
}

// The expression language has none for noise on a grid, nor for lists of constants.
bool has_words(const Certificate& certificate) {
  return certificate.kind != Kind::kRelease && !certificate.settings.schedule;
}

Json json_claims(const Certificate& certificate) {
  Json values = Json::array();
  for (const Claim& claim : certificate.claims) values.push_back(json_claim(claim));
  Json curve = Json::array();
  for (const CurvePoint& point : certificate.curve)
    curve.push_back({{"epsilon", json_number(point.epsilon)}, {"delta", json_bracket(point.delta)}});
  return {{"relation", doeblin::name(certificate.relation)},
          {"values", values},
          {"curve", curve},
          {"people", certificate.people ? json_people(*certificate.people) : Json(nullptr)}};
}

}  // namespace

Json unsealed_json(const Certificate& certificate) {
  Json json{{"format", kFormat}, {"format_version", kFormatVersion}};
  json["software"] = {{"name", "doeblin"}, {"version", certificate.software_version}};
  json["kind"] = name(certificate.kind);
  json["void"] = certificate.void_because.empty() ? Json(nullptr) : Json(certificate.void_because);
  json["sentence"] = sentence_of(certificate);
  json["claim"] = json_claims(certificate);
  json["expression"] = has_words(certificate) ? Json(pipeline::text_of(certificate.program)) : Json(nullptr);
  json["program"] = json_program(certificate.program);
  json["settings"] = json_settings(certificate.settings);
  json["derivation"] = Json::array();
  for (const pipeline::Step& step : certificate.derivation) json["derivation"].push_back(json_step(step));
  json["inputs"] = Json::array();
  for (const Input& input : certificate.inputs)
    json["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  json["details"] = Json::object();
  for (const Detail& detail : certificate.details) json["details"][detail.name] = json_argument(detail.value);
  return json;
}

std::string text_of(const Certificate& certificate) {
  Json json = unsealed_json(certificate);
  const std::string sealed = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  json["seal"] = {{"sha256", sha256(sealed)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace doeblin::certificate
