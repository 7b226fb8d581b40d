// SPDX-License-Identifier: Apache-2.0
// Prints what sources and stages are called and take, as JSON: python/stages.py writes the functions of the package from it.
#include <iostream>

#include "doeblin/language/expression.hpp"
#include "doeblin/language/schema.hpp"
#include "json/json.hpp"

namespace doeblin {
namespace {

Json json_argument(const language::Argument& value) {
  if (const auto* const number = std::get_if<double>(&value)) return json_number(*number);
  return std::get<std::string>(value);
}

Json json_parameter(const language::Parameter& parameter) {
  return {{"name", parameter.name},
          {"meaning", parameter.meaning},
          {"type", language::name(parameter.type)},
          {"is_text", parameter.is_text()},
          {"default", parameter.standard ? json_argument(*parameter.standard) : Json()},
          {"low", parameter.monotone ? json_number(parameter.monotone->low) : Json()},
          {"choices", parameter.choices}};
}

Json json_schema(const language::Schema& schema) {
  Json parameters = Json::array();
  for (const language::Parameter& parameter : schema.parameters) parameters.push_back(json_parameter(parameter));
  return {{"name", schema.name},
          {"is_source", schema.is_source()},
          {"summary", schema.summary},
          {"example", schema.example},
          {"example_text", text_of(language::parse(schema.example))},
          {"parameters", parameters}};
}

}  // namespace
}  // namespace doeblin

int main() {
  doeblin::Json all = doeblin::Json::array();
  for (const doeblin::language::Schema& schema : doeblin::language::schemas())
    all.push_back(doeblin::json_schema(schema));
  std::cout << doeblin::dumped(all) << '\n';
  return 0;
}
