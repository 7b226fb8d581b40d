// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/program.hpp"

#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::pipeline {
namespace {

const Argument& argument(const Call& call, std::string_view parameter) {
  for (const auto& [name, value] : call.arguments)
    if (name == parameter) return value;
  throw InternalError("broken invariant: " + call.name + " has no parameter " + std::string(parameter));
}

// In the quotes that it does not contain.
std::string quoted(const std::string& text) {
  if (text.find('\'') != std::string::npos && text.find('"') != std::string::npos)
    throw InvalidArgument("text", "'" + printable(text) + "'", "not both kinds of quotes");
  const char quote = text.find('\'') == std::string::npos ? '\'' : '"';
  return quote + text + quote;
}

std::string text_of(const Call& call) {
  std::string text = call.name + "(";
  for (const auto& [name, value] : call.arguments) {
    if (text.back() != '(') text += ", ";
    text += name + "=";
    text += std::holds_alternative<double>(value) ? format_exact(std::get<double>(value))
                                                  : quoted(std::get<std::string>(value));
  }
  return text + ")";
}

}  // namespace

double Call::number(std::string_view parameter) const {
  const auto* value = std::get_if<double>(&argument(*this, parameter));
  ensure(value != nullptr, "the argument is a number");
  return *value;
}

const std::string& Call::text(std::string_view parameter) const {
  const auto* value = std::get_if<std::string>(&argument(*this, parameter));
  ensure(value != nullptr, "the argument is a text");
  return *value;
}

std::string text_of(const Program& program) {
  if (program.kind == Program::Kind::kCall) return text_of(program.call);
  const bool is_sum = program.kind == Program::Kind::kSum;
  std::string text;
  for (const Program& part : program.parts) {
    if (!text.empty()) text += is_sum ? " + " : " | ";
    // '+' binds tighter than '|', and a sum in a sum is a composition of its own.
    const bool needs_parentheses = is_sum ? part.kind != Program::Kind::kCall : part.kind == Program::Kind::kPipe;
    text += needs_parentheses ? "(" + text_of(part) + ")" : text_of(part);
  }
  return text;
}

}  // namespace doeblin::pipeline
