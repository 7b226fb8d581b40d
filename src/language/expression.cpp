// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/expression.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "language/exact.hpp"

namespace doeblin::language {
namespace {

struct Name {
  std::string text;
};
// What a node stands for: an argument, a word that is not in quotes, or a part of a pipeline.
using Value = std::variant<Exact, std::string, std::vector<double>, Hole, Name, Program>;

const Program* program_in(const Value& value) { return std::get_if<Program>(&value); }

// Whether a part begins with a source, and whether all of it is kernels.
Schema::Kind kind_of(const Program& program) {
  if (program.kind == Program::Kind::kSum) return Schema::Kind::kSource;
  if (program.kind == Program::Kind::kCall) return find_schema(program.call.name)->kind;
  const Schema::Kind first = kind_of(program.parts[0]);
  const bool is_kernel = std::all_of(program.parts.begin(), program.parts.end(),
                                     [](const Program& part) { return kind_of(part) == Schema::Kind::kKernel; });
  return first == Schema::Kind::kSource ? first : is_kernel ? Schema::Kind::kKernel : Schema::Kind::kStage;
}

class Reader {
 public:
  /// May arguments be open? May a part stand alone that has no source?
  struct Allowed {
    bool holes = false;
    bool parts = false;
    Operand operand = {};
  };

  Reader(std::string_view expression, Allowed allowed) : expression_(expression), allowed_(std::move(allowed)) {}

  [[nodiscard]] Exact exact(const Node& node) const {
    const Value value = read(node);
    if (const auto* x = std::get_if<Exact>(&value)) return *x;
    if (std::holds_alternative<Hole>(value))
      fail(node.offset, "a hole must be a whole argument, as in gaussian(sigma=?)");
    if (const auto* name = std::get_if<Name>(&value))
      fail(node.offset, fmt::format("'{}' is not a number", name->text.substr(0, 40)));
    fail(node.offset, "expected a number");
  }

  // Rounded once, here.
  [[nodiscard]] double number(const Node& node) const {
    const Exact value = exact(node);
    if (value.vanishes()) fail(node.offset, "too small for a number that a double can hold, and not 0");
    return value.nearest();
  }

  [[nodiscard]] Program whole(const Node& node) const {
    Value value = operand(node);
    if (const auto* name = std::get_if<Name>(&value)) fail_name(node, name->text);
    auto* program = std::get_if<Program>(&value);
    if (program == nullptr) fail(node.offset, "expected a source, such as gaussian(sigma=1)");
    if (!allowed_.parts && kind_of(*program) != Schema::Kind::kSource)
      fail(node.offset, "a stage needs a source before it, as in: gaussian(sigma=1) | ...");
    return std::move(*program);
  }

  [[nodiscard]] Program kernels(const Node& node) const {
    Value value = read(node);
    if (const auto* name = std::get_if<Name>(&value)) fail_name(node, name->text);
    auto* program = std::get_if<Program>(&value);
    if (program == nullptr || kind_of(*program) != Schema::Kind::kKernel)
      fail(node.offset, "expected kernels only, such as kernel('walk.csv') or k_ary_response(k=4, p=0.7)");
    return std::move(*program);
  }

  [[nodiscard]] Call bound(const Node& node, const Schema& schema) const {
    std::vector<std::pair<std::string, Argument>> given;
    std::size_t position = 0;
    bool keywords_began = false;
    for (const Node& child : node.children) {
      const Parameter* parameter = nullptr;
      if (child.keyword.empty()) {
        if (keywords_began) fail(child.offset, "a positional argument cannot follow a keyword argument");
        if (position >= schema.parameters.size())
          fail(child.offset, fmt::format("too many arguments: {}", schema.signature()));
        parameter = &schema.parameters[position++];
      } else {
        keywords_began = true;
        parameter = schema.parameter(child.keyword);
        if (parameter == nullptr)
          fail(child.keyword_offset, fmt::format("{} has no parameter '{}'{}", schema.name, child.keyword.substr(0, 40),
                                                 advice_about(schema, child.keyword)));
      }
      const auto is_same = [&](const auto& one) { return one.first == parameter->name; };
      if (std::any_of(given.begin(), given.end(), is_same))
        fail(child.offset, fmt::format("{} is given twice", parameter->name));
      given.emplace_back(parameter->name, argument(child, *parameter));
    }
    for (const Parameter& parameter : schema.parameters) {
      const auto is_same = [&](const auto& one) { return one.first == parameter.name; };
      if (!parameter.standard && std::none_of(given.begin(), given.end(), is_same))
        fail(node.offset, fmt::format("missing argument {}: {}", parameter.name, schema.signature()));
    }
    return call_of(schema, given);
  }

 private:
  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const {
    throw ExpressionError(expression_, offset, problem);
  }

  [[noreturn]] void fail_name(const Node& node, const std::string& name) const {
    if (const Schema* schema = find_schema(name))
      fail(node.offset, fmt::format("{} needs its arguments: {}", name, schema->signature()));
    fail_unknown(node, name);
  }

  [[noreturn]] void fail_unknown(const Node& node, const std::string& name) const {
    fail(node.offset, fmt::format("unknown source or stage '{}'{}", name.substr(0, 40), advice_about(name)));
  }

  [[nodiscard]] Value read(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::kNumber: return Exact::of_decimal(node.text).value_or(Exact(node.number));
      case Node::Kind::kText: return node.text;
      case Node::Kind::kName:
        if (node.text == "inf") return Exact(std::numeric_limits<double>::infinity());
        return Name{node.text};
      case Node::Kind::kCall: {
        const Schema* schema = find_schema(node.text);
        if (schema == nullptr) fail_unknown(node, node.text);
        return Program{.call = bound(node, *schema)};
      }
      case Node::Kind::kNegate: return -exact(node.children[0]);
      case Node::Kind::kPower:
        return finite_result(node.offset, exact(node.children[0]).power(exact(node.children[1])));
      case Node::Kind::kChain: return chain(node);
      case Node::Kind::kList: return list(node);
      case Node::Kind::kHole:
        if (!allowed_.holes) fail(node.offset, "a hole '?' is for calibrate; every argument needs a value here");
        return Hole{};
    }
    throw InternalError("broken invariant: unknown node");
  }

  [[nodiscard]] Value list(const Node& node) const {
    std::vector<double> numbers;
    for (const Node& element : node.children) numbers.push_back(number(element));
    if (numbers.empty()) fail(node.offset, "an empty list");
    return numbers;
  }

  // A node that may stand for a file.
  [[nodiscard]] Value operand(const Node& node) const {
    Value value = read(node);
    const auto* const path = std::get_if<std::string>(&value);
    if (path == nullptr) return value;
    if (!allowed_.operand) fail(node.offset, "a file cannot be an operand here");
    return allowed_.operand(*path);
  }

  // Arithmetic may use inf, but must not make NaN, nor an infinity out of finite numbers.
  [[nodiscard]] Exact finite_result(std::size_t offset, const Exact& result, bool infinite_operand = false) const {
    if (std::isnan(result.nearest()) || (std::isinf(result.nearest()) && !infinite_operand))
      fail(offset, "the result is not a number that a double can hold");
    return result;
  }

  [[nodiscard]] Value chain(const Node& node) const {
    Value left = operand(node.children[0]);
    if (node.operators[0] == '|') return pipe(std::move(left), node);
    if (const Program* first = program_in(left); first != nullptr && kind_of(*first) == Schema::Kind::kSource)
      return sum(*first, node);
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const std::size_t offset = node.operator_offsets[i];
      const Value right = read(node.children[i + 1]);
      const auto* x = std::get_if<Exact>(&left);
      const auto* y = std::get_if<Exact>(&right);
      if (x == nullptr) fail_operand(left, node.children[0], node.operators[i], offset);
      if (y == nullptr) fail_operand(right, node.children[i + 1], node.operators[i], offset);
      left = arithmetic(*x, node.operators[i], *y, offset);
    }
    return left;
  }

  // a + b + c on pipelines: one composition of all of them; (a + b) + c are two, one after another.
  [[nodiscard]] Value sum(const Program& first, const Node& node) const {
    Program all{.kind = Program::Kind::kSum, .parts = {first}};
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const Value value = operand(node.children[i + 1]);
      const Program* part = program_in(value);
      if (node.operators[i] != '+' || part == nullptr || kind_of(*part) != Schema::Kind::kSource)
        fail_operand(value, node.children[i + 1], node.operators[i], node.operator_offsets[i]);
      all.parts.push_back(*part);
    }
    return all;
  }

  [[noreturn]] void fail_operand(const Value& value, const Node& node, char op, std::size_t offset) const {
    if (const auto* name = std::get_if<Name>(&value)) fail_name(node, name->text);
    if (std::holds_alternative<Hole>(value))
      fail(node.offset, "a hole must be a whole argument, as in gaussian(sigma=?)");
    if (const Program* program = program_in(value); program != nullptr && kind_of(*program) != Schema::Kind::kSource)
      fail(offset, fmt::format("'{}' binds tighter than '|': write (a | x) + (b | y)", op));
    fail(offset, fmt::format("'{}' does not work on these operands; pipelines compose with '+'", op));
  }

  [[nodiscard]] Exact arithmetic(const Exact& x, char op, const Exact& y, std::size_t offset) const {
    const bool infinite = std::isinf(x.nearest()) || std::isinf(y.nearest());
    switch (op) {
      case '+': return finite_result(offset, x + y, infinite);
      case '-': return finite_result(offset, x - y, infinite);
      case '*': return finite_result(offset, x * y, infinite);
      default:
        if (y.nearest() == 0.0 && !y.vanishes()) fail(offset, "division by zero");
        return finite_result(offset, x / y, infinite);
    }
  }

  // (a | b) | c is a | b | c.
  [[nodiscard]] Value pipe(Value first, const Node& node) const {
    if (const auto* name = std::get_if<Name>(&first)) fail_name(node.children[0], name->text);
    auto* whole = std::get_if<Program>(&first);
    if (whole == nullptr) fail(node.operator_offsets[0], "'|' needs a source or a pipeline on its left");
    Program all = std::move(*whole);
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const Node& right = node.children[i + 1];
      Value value = read(right);
      if (const auto* name = std::get_if<Name>(&value)) fail_name(right, name->text);
      auto* stage = std::get_if<Program>(&value);
      if (stage == nullptr || kind_of(*stage) == Schema::Kind::kSource)
        fail(right.offset, "'|' needs a stage on its right; pipelines compose with '+'");
      const bool is_kernel = kind_of(all) == Schema::Kind::kKernel && kind_of(*stage) == Schema::Kind::kKernel;
      if (kind_of(all) != Schema::Kind::kSource && !is_kernel && !allowed_.parts)
        fail(node.operator_offsets[i], "a stage needs a source before it, as in: gaussian(sigma=1) | ...");
      all = piped(std::move(all), std::move(*stage));
    }
    return all;
  }

  [[nodiscard]] Argument argument(const Node& child, const Parameter& parameter) const {
    Value value = read(child);
    if (!parameter.is_text()) {
      if (std::holds_alternative<Hole>(value)) return Hole{};
      if (auto* numbers = std::get_if<std::vector<double>>(&value)) {
        if (!parameter.may_change) fail(child.offset, fmt::format("{} is a list, need a single value", parameter.name));
        return std::move(*numbers);
      }
      return number(child);
    }
    if (auto* text = std::get_if<std::string>(&value)) return std::move(*text);
    // One word needs no quotes.
    if (auto* name = std::get_if<Name>(&value)) return std::move(name->text);
    fail(child.offset, fmt::format("{} is a text, write it in quotes", parameter.name));
  }

  std::string_view expression_;
  Allowed allowed_;
};

// The node of every hole, from left to right.
void find_holes(const Node& node, std::vector<const Node*>& found) {
  if (node.kind == Node::Kind::kHole) found.push_back(&node);
  for (const Node& child : node.children) find_holes(child, found);
}

}  // namespace

Program parse(std::string_view expression, const Operand& operand) {
  return Reader(expression, {.operand = operand}).whole(parse_syntax(expression));
}

Program parse_open(std::string_view expression, const Operand& operand) {
  return Reader(expression, {.holes = true, .operand = operand}).whole(parse_syntax(expression));
}

Program parse_with_hole(std::string_view expression, const Operand& operand) {
  const Node node = parse_syntax(expression);
  std::vector<const Node*> holes;
  find_holes(node, holes);
  if (holes.empty() || node.kind == Node::Kind::kHole)
    throw InvalidArgument("expression: no hole, need one argument written as '?', as in gaussian(sigma=?)");
  if (holes.size() > 1)
    throw ExpressionError(
        expression, holes[1]->offset,
        "a second hole; there can be one, but for ornstein_uhlenbeck(theta=?, rho=?, ...) with --radius");
  Program program = Reader(expression, {.holes = true, .operand = operand}).whole(node);
  const ArgumentPlace open = holes_of(program).at(0);
  if (!find_schema(open.call->name)->parameter(open.parameter)->monotone)
    throw ExpressionError(expression, holes[0]->offset,
                          fmt::format("{} of {} cannot be solved for: the guarantee is not monotone in it",
                                      open.parameter, open.call->name));
  return program;
}

Program parse_part(std::string_view expression) {
  return Reader(expression, {.parts = true}).whole(parse_syntax(expression));
}

Program parse_kernels(std::string_view expression) { return Reader(expression, {}).kernels(parse_syntax(expression)); }

Exact parse_exact(std::string_view arithmetic) { return Reader(arithmetic, {}).exact(parse_syntax(arithmetic)); }

double parse_number(std::string_view arithmetic) { return Reader(arithmetic, {}).number(parse_syntax(arithmetic)); }

std::optional<Call> parse_call(std::string_view expression, const Schema& schema) {
  const Node node = parse_syntax(expression);
  const bool is_call = node.kind == Node::Kind::kCall || node.kind == Node::Kind::kName;
  if (!is_call || node.text != schema.name) return std::nullopt;
  return Reader(expression, {.holes = true}).bound(node, schema);
}

}  // namespace doeblin::language
