// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"

#include <fmt/format.h>

namespace doeblin::pipeline {

std::string call_text(std::string_view name, std::initializer_list<NamedNumber> arguments) {
  std::string text(name);
  text += "(";
  for (const NamedNumber& argument : arguments) {
    if (text.back() != '(') text += ", ";
    text += fmt::format("{}={}", argument.name, argument.value);
  }
  return text + ")";
}

std::string file_text(const Call& call) {
  const auto* const object = std::get_if<language::Object>(&call.argument("file"));
  return object != nullptr ? object->text() : "'" + call.text("file") + "'";
}

}  // namespace doeblin::pipeline
