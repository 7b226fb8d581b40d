// SPDX-License-Identifier: Apache-2.0
#include "certificate/certificate_json.hpp"
#include "certificate/setting_names.hpp"
#include "doeblin/certificate/certificate_file.hpp"
#include "doeblin/certificate/sha256.hpp"

namespace doeblin::certificate {
namespace {

Json json_argument(const language::Argument& value) {
  if (const auto* number = std::get_if<double>(&value)) return json_exact(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  const auto* const list = std::get_if<std::vector<double>>(&value);
  if (list == nullptr) throw InvalidArgument("certificate: an argument that is open, or has no words");
  Json json = Json::array();
  for (const double x : *list) json.push_back(json_exact(x));
  return json;
}

Json json_question(bool is_epsilon, double at) {
  return {{"quantity", is_epsilon ? "epsilon" : "delta"}, {is_epsilon ? "delta" : "epsilon", json_exact(at)}};
}

Json json_claim(const Claim& claim) {
  Json json = json_question(claim.is_epsilon, claim.at);
  json.update(json_exact_bracket(claim.value));
  return json;
}

Json json_person(const PersonPoint& point) {
  Json json{{"record", point.record}};
  json.update(json_exact_bracket(point.value));
  return json;
}

Json json_people(const PeopleClaim& people) {
  Json json = json_question(people.is_epsilon, people.at);
  json["records"] = people.count;
  json["worst"] = json_person(people.worst);
  json["median"] = json_exact(people.median);
  json["best"] = json_person(people.best);
  json["points"] = Json::array();
  for (const PersonPoint& point : people.points) json["points"].push_back(json_person(point));
  return json;
}

Json json_program(const language::Program& program) {
  if (program.kind == language::Program::Kind::kCall) {
    Json arguments = Json::object();
    for (const auto& [parameter, value] : program.call.arguments) arguments[parameter] = json_argument(value);
    return {{"call", program.call.name}, {"arguments", arguments}};
  }
  Json parts = Json::array();
  for (const language::Program& part : program.parts) parts.push_back(json_program(part));
  return {{program.kind == language::Program::Kind::kPipe ? "pipe" : "sum", parts}};
}

Json json_settings(const Settings& settings, int format_version) {
  Json goal = Json::object();
  for (const auto& [field, member] : kGoalFields) goal[field] = json_exact(settings.goal.*member);
  Json json{{"accountant", kAccountants.word_of(settings.accountant)}, {"goal", goal}};
  // Lists of constants, which are arguments now.
  if (format_version == 1) json["schedule"] = nullptr;
  return json;
}

// The expression language has none for noise on a grid.
bool has_expression(const Certificate& certificate) {
  return certificate.kind != Kind::kRelease && has_words(certificate.program);
}

Json json_claims(const Certificate& certificate) {
  Json values = Json::array();
  for (const Claim& claim : certificate.claims) values.push_back(json_claim(claim));
  Json curve = Json::array();
  for (const CurvePoint& point : certificate.curve)
    curve.push_back({{"epsilon", json_exact(point.epsilon)}, {"delta", json_exact_bracket(point.delta)}});
  return {{"relation", doeblin::name(certificate.relation)},
          {"values", values},
          {"curve", curve},
          {"people", certificate.people ? json_people(*certificate.people) : Json(nullptr)}};
}

}  // namespace

Json unsealed_json(const Certificate& certificate) {
  Json json{{"format", kFormat}, {"format_version", certificate.format_version}};
  json["software"] = {{"name", "doeblin"}, {"version", certificate.software_version}};
  json["kind"] = name(certificate.kind);
  json["void"] = certificate.void_because.empty() ? Json(nullptr) : Json(certificate.void_because);
  json["sentence"] = sentence_of(certificate);
  json["claim"] = json_claims(certificate);
  json["expression"] = has_expression(certificate) ? Json(language::text_of(certificate.program)) : Json(nullptr);
  json["program"] = json_program(certificate.program);
  json["settings"] = json_settings(certificate.settings, certificate.format_version);
  json["derivation"] = Json::array();
  for (const Step& step : certificate.derivation) json["derivation"].push_back(json_step(step));
  json["inputs"] = Json::array();
  for (const Input& input : certificate.inputs)
    json["inputs"].push_back({{"path", input.path}, {"sha256", input.sha256}});
  json["details"] = Json::object();
  for (const Detail& detail : certificate.details) json["details"][detail.name] = json_argument(detail.value);
  return json;
}

std::string text_of(const Certificate& certificate) {
  Json json = unsealed_json(certificate);
  const std::string sealed = dumped_on_one_line(json);
  json["seal"] = {{"sha256", sha256(sealed)}};
  return dumped(json) + "\n";
}

}  // namespace doeblin::certificate
