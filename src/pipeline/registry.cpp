// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/definition.hpp"

namespace doeblin::pipeline {

#define DOEBLIN_STAGE(name) Definition name##_definition();
#include "pipeline/stages.def"
#undef DOEBLIN_STAGE

const std::vector<Definition>& definitions() {
  static const std::vector<Definition> all = {
#define DOEBLIN_STAGE(name) name##_definition(),
#include "pipeline/stages.def"
#undef DOEBLIN_STAGE
  };
  return all;
}

const Definition* find_definition(std::string_view name) {
  for (const Definition& definition : definitions())
    if (definition.name == name) return &definition;
  return nullptr;
}

double Arguments::number(std::string_view name) const {
  const auto found = values_.find(name);
  ensure(found != values_.end() && std::holds_alternative<double>(found->second), "a number argument is present");
  return std::get<double>(found->second);
}

const std::string& Arguments::text(std::string_view name) const {
  const auto found = values_.find(name);
  ensure(found != values_.end() && std::holds_alternative<std::string>(found->second), "a text argument is present");
  return std::get<std::string>(found->second);
}

std::string Definition::signature() const {
  std::string text = name + "(";
  for (const Parameter& parameter : parameters) {
    if (text.back() != '(') text += ", ";
    text += parameter.name;
    if (!parameter.standard) continue;
    text += "=";
    text += parameter.is_text ? fmt::format("'{}'", std::get<std::string>(*parameter.standard))
                              : format_exact(std::get<double>(*parameter.standard));
  }
  return text + ")";
}

std::string call_text(std::string_view name, std::initializer_list<NamedNumber> arguments) {
  std::string text(name);
  text += "(";
  for (const NamedNumber& argument : arguments) {
    if (text.back() != '(') text += ", ";
    text += fmt::format("{}={}", argument.name, argument.value);
  }
  return text + ")";
}

}  // namespace doeblin::pipeline
