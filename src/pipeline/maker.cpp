// SPDX-License-Identifier: Apache-2.0
#include "pipeline/maker.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::pipeline {

#define DOEBLIN_STAGE(name) Maker name##_maker();
#include "pipeline/stages.def"
#undef DOEBLIN_STAGE

namespace {

struct NamedMaker {
  std::string_view name;
  Maker (*maker)();
};

constexpr NamedMaker kMakers[] = {
#define DOEBLIN_STAGE(name) {#name, name##_maker},
#include "pipeline/stages.def"
#undef DOEBLIN_STAGE
};

}  // namespace

Maker maker_of(std::string_view name) {
  for (const NamedMaker& one : kMakers)
    if (one.name == name) return one.maker();
  throw InvalidArgument(fmt::format("unknown source or stage '{}'", printable(std::string(name).substr(0, 40))));
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

std::string file_text(const Call& call) {
  const auto* const object = std::get_if<language::Object>(&call.argument("file"));
  return object != nullptr ? object->text() : "'" + call.text("file") + "'";
}

}  // namespace doeblin::pipeline
