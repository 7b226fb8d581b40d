// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/program.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/language/syntax.hpp"

namespace doeblin::language {
namespace {

// A number in a list has up to 25 characters.
constexpr std::size_t kLongestWrittenList = kLongestExpression / 32;

// Longer lists of steps are only mentioned in lines of derivations.
constexpr std::size_t kLongestSteps = 40;

// In the quotes that it does not contain.
std::string quoted(const std::string& text) {
  if (text.find('\'') != std::string::npos && text.find('"') != std::string::npos)
    throw InvalidArgument("text", "'" + printable(text) + "'", "not both kinds of quotes");
  const char quote = text.find('\'') == std::string::npos ? '\'' : '"';
  return quote + text + quote;
}

std::string list_text(const std::vector<double>& list) {
  std::string text = "[";
  for (const double x : list) text += (text.size() > 1 ? ", " : "") + format_exact(x);
  return text + "]";
}

std::string text_of(const Argument& value) {
  if (const auto* number = std::get_if<double>(&value)) return format_exact(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return list_text(*list);
  if (std::holds_alternative<Hole>(value)) return "?";
  throw InvalidArgument(std::get<Object>(value).text() +
                        ": the expression language has no words for it; use a file instead");
}

std::string brief_text(const Argument& value) {
  if (const auto* list = std::get_if<std::vector<double>>(&value)) return fmt::format("<{} numbers>", list->size());
  if (const auto* object = std::get_if<Object>(&value)) return object->text();
  return text_of(value);
}

std::string line_text(const Parameter* parameter, const Argument& value) {
  const auto* const text = std::get_if<std::string>(&value);
  const bool is_long =
      text != nullptr && text->size() > kLongestSteps && parameter != nullptr && parameter->type == Type::kSteps;
  return is_long ? fmt::format("<{} characters>", text->size()) : brief_text(value);
}

// Every argument that is not left out, as `write` writes it.
template <typename IsLeftOut, typename Write>
std::string call_text(const Call& call, const IsLeftOut& is_left_out, const Write& write) {
  const Schema* const schema = find_schema(call.name);
  std::string text = call.name + "(";
  for (const auto& [name, value] : call.arguments) {
    const Parameter* const parameter = schema != nullptr ? schema->parameter(name) : nullptr;
    if (parameter != nullptr && is_left_out(*parameter, value)) continue;
    if (text.back() != '(') text += ", ";
    text += name + "=" + write(parameter, value);
  }
  return text + ")";
}

bool is_standard(const Parameter& parameter, const Argument& value) { return parameter.standard == value; }

template <typename Write>
std::string program_text(const Program& program, const Write& write_call) {
  if (program.kind == Program::Kind::kCall) return write_call(program.call);
  const bool is_sum = program.kind == Program::Kind::kSum;
  std::string text;
  for (const Program& part : program.parts) {
    if (!text.empty()) text += is_sum ? " + " : " | ";
    // '+' binds tighter than '|', and a sum in a sum is a composition of its own.
    const bool needs_parentheses = is_sum ? part.kind != Program::Kind::kCall : part.kind == Program::Kind::kPipe;
    const std::string part_text = program_text(part, write_call);
    text += needs_parentheses ? "(" + part_text + ")" : part_text;
  }
  return text;
}

// Calls `see` with every call, from left to right.
template <typename SomeProgram, typename See>
void for_each_call(SomeProgram& program, const See& see) {
  if (program.kind == Program::Kind::kCall) see(program.call);
  for (auto& part : program.parts) for_each_call(part, see);
}

}  // namespace

const Argument& Call::argument(std::string_view parameter) const {
  for (const auto& [one, value] : arguments)
    if (one == parameter) return value;
  throw InternalError("broken invariant: " + name + " has no parameter " + std::string(parameter));
}

Call Call::with(std::string_view parameter, Argument value) const {
  Call changed = *this;
  for (auto& [one, argument] : changed.arguments) {
    if (one != parameter) continue;
    argument = std::move(value);
    return changed;
  }
  throw InternalError("broken invariant: " + name + " has no parameter " + std::string(parameter));
}

double Call::number(std::string_view parameter) const {
  const Argument& value = argument(parameter);
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (std::holds_alternative<Hole>(value))
    throw InvalidArgument(std::string(parameter) + " is open, which is for calibrate");
  if (std::holds_alternative<std::vector<double>>(value))
    throw InvalidArgument(std::string(parameter) + " is a list, need a single value");
  throw InternalError("broken invariant: the argument is a number");
}

const std::string& Call::text(std::string_view parameter) const {
  const Argument& value = argument(parameter);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* object = std::get_if<Object>(&value))
    throw InvalidArgument(std::string(parameter), object->text(), "a text");
  throw InternalError("broken invariant: the argument is a text");
}

const std::vector<double>* Call::list(std::string_view parameter) const {
  return std::get_if<std::vector<double>>(&argument(parameter));
}

std::vector<ArgumentPlace> holes_of(const Program& program) {
  std::vector<ArgumentPlace> found;
  for_each_call(program, [&](const Call& call) {
    for (const auto& [parameter, value] : call.arguments)
      if (std::holds_alternative<Hole>(value)) found.push_back({&call, parameter});
  });
  return found;
}

Program filled(Program program, double value) {
  for_each_call(program, [&](Call& call) {
    for (auto& [parameter, argument] : call.arguments)
      if (std::holds_alternative<Hole>(argument)) argument = value;
  });
  return program;
}

bool has_words(const Program& program) {
  std::size_t listed = 0;
  bool is_written = true;
  for_each_call(program, [&](const Call& call) {
    for (const auto& [parameter, value] : call.arguments) {
      if (const auto* list = std::get_if<std::vector<double>>(&value)) listed += list->size();
      if (std::holds_alternative<Object>(value)) is_written = false;
    }
  });
  return is_written && listed <= kLongestWrittenList;
}

std::string text_of(const Program& program) {
  return program_text(program, [](const Call& call) {
    const auto none = [](const Parameter&, const Argument&) { return false; };
    return call_text(call, none, [](const Parameter*, const Argument& value) { return text_of(value); });
  });
}

std::string short_text(const Program& program) {
  return program_text(program, [](const Call& call) {
    return call_text(call, is_standard, [](const Parameter*, const Argument& value) { return text_of(value); });
  });
}

std::string brief_text(const Call& call) {
  return call_text(call, is_standard, [](const Parameter*, const Argument& value) { return brief_text(value); });
}

std::string brief_text(const Program& program) {
  return program_text(program, [](const Call& call) { return brief_text(call); });
}

std::string line_text(const Call& call) {
  const auto is_left_out = [](const Parameter& parameter, const Argument& value) {
    return !parameter.is_shown && is_standard(parameter, value);
  };
  return call_text(call, is_left_out,
                   [](const Parameter* parameter, const Argument& value) { return line_text(parameter, value); });
}

std::string line_text(const Program& program) {
  return program_text(program, [](const Call& call) { return line_text(call); });
}

Program piped(Program left, Program right) {
  Program chain{.kind = Program::Kind::kPipe};
  for (Program* side : {&left, &right}) {
    if (side->kind == Program::Kind::kPipe)
      std::move(side->parts.begin(), side->parts.end(), std::back_inserter(chain.parts));
    else
      chain.parts.push_back(std::move(*side));
  }
  return chain;
}

Program added(Program left, Program right) {
  Program sum{.kind = Program::Kind::kSum};
  if (left.kind == Program::Kind::kSum)
    sum.parts = std::move(left.parts);
  else
    sum.parts.push_back(std::move(left));
  sum.parts.push_back(std::move(right));
  return sum;
}

}  // namespace doeblin::language
