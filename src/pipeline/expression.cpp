// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/expression.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/program.hpp"
#include "doeblin/pipeline/suggestion.hpp"
#include "doeblin/pipeline/syntax.hpp"

namespace doeblin::pipeline {
namespace {

struct Name {
  std::string text;
};
using Value = std::variant<double, std::string, Name, Pipeline, Stage, Kernel>;

class Evaluator {
 public:
  /// `hole` is what a '?' stands for; without it there must be none.
  Evaluator(std::string_view expression, const Settings& settings, std::optional<double> hole)
      : expression_(expression), settings_(settings), hole_(hole) {}

  [[nodiscard]] Pipeline whole(const Node& node) const {
    Value value = evaluate(node);
    if (auto* pipeline = std::get_if<Pipeline>(&value)) return std::move(*pipeline);
    if (const auto* name = std::get_if<Name>(&value)) fail_name(node, name->text);
    if (is_stage(value)) fail(node.offset, "a stage needs a source before it, as in: gaussian(sigma=1) | ...");
    fail(node.offset, "expected a source, such as gaussian(sigma=1)");
  }

  [[nodiscard]] Kernel whole_kernel(const Node& node) const {
    Value value = evaluate(node);
    if (auto* kernel = std::get_if<Kernel>(&value)) return std::move(*kernel);
    if (const auto* name = std::get_if<Name>(&value)) fail_name(node, name->text);
    fail(node.offset, "expected kernels only, such as kernel('walk.csv') or k_ary_response(k=4, p=0.7)");
  }

  /// The same calls as data.
  [[nodiscard]] Program program(const Node& node) const {
    if (node.kind == Node::Kind::kCall) return {.call = resolved(node)};
    if (node.kind == Node::Kind::kName) fail_name(node, node.text);
    const bool is_chain = node.kind == Node::Kind::kChain && (node.operators[0] == '|' || node.operators[0] == '+');
    if (!is_chain) fail(node.offset, "expected a source, such as gaussian(sigma=1)");
    Program chain{.kind = node.operators[0] == '|' ? Program::Kind::kPipe : Program::Kind::kSum};
    for (const Node& child : node.children) {
      Program part = program(child);
      // (a | b) | c is a | b | c; (a + b) + c is not a + b + c: compositions are made one after another.
      if (chain.kind == Program::Kind::kPipe && part.kind == Program::Kind::kPipe && chain.parts.empty())
        chain.parts = std::move(part.parts);
      else
        chain.parts.push_back(std::move(part));
    }
    return chain;
  }

  /// The arguments of one call.
  [[nodiscard]] Arguments arguments(const Node& call, const Definition& definition) const {
    return bind(call, definition);
  }

 private:
  static bool is_stage(const Value& value) {
    return std::holds_alternative<Stage>(value) || std::holds_alternative<Kernel>(value);
  }

  [[noreturn]] void fail(std::size_t offset, const std::string& problem) const {
    throw ExpressionError(expression_, offset, problem);
  }

  [[noreturn]] void fail_name(const Node& node, const std::string& name) const {
    if (const Definition* definition = find_definition(name))
      fail(node.offset, fmt::format("{} needs its arguments: {}", name, definition->signature()));
    fail_unknown(node, name);
  }

  [[noreturn]] void fail_unknown(const Node& node, const std::string& name) const {
    std::vector<std::string> names;
    for (const Definition& definition : definitions()) names.push_back(definition.name);
    const std::string near = suggestion(name, names);
    fail(node.offset,
         fmt::format("unknown source or stage '{}'{}", name.substr(0, 40),
                     near.empty() ? "; 'doeblin stages' lists them" : fmt::format(", did you mean '{}'?", near)));
  }

  [[nodiscard]] Value evaluate(const Node& node) const {
    switch (node.kind) {
      case Node::Kind::kNumber: return node.number;
      case Node::Kind::kText: return node.text;
      case Node::Kind::kName:
        if (node.text == "inf") return rounding::kInfinity;
        return Name{node.text};
      case Node::Kind::kCall: return call(node);
      case Node::Kind::kNegate: return -number(node.children[0]);
      case Node::Kind::kPower:
        return finite_result(node.offset, std::pow(number(node.children[0]), number(node.children[1])));
      case Node::Kind::kChain: return chain(node);
      case Node::Kind::kHole:
        if (!hole_) fail(node.offset, "a hole '?' is for calibrate; every argument needs a value here");
        return *hole_;
    }
    throw InternalError("broken invariant: unknown node");
  }

  [[nodiscard]] double number(const Node& node) const {
    const Value value = evaluate(node);
    if (const auto* x = std::get_if<double>(&value)) return *x;
    if (const auto* name = std::get_if<Name>(&value))
      fail(node.offset, fmt::format("'{}' is not a number", name->text.substr(0, 40)));
    fail(node.offset, "expected a number");
  }

  // Arithmetic may use inf, but must not make NaN, nor an infinity out of finite numbers.
  [[nodiscard]] double finite_result(std::size_t offset, double result, bool infinite_operand = false) const {
    if (std::isnan(result) || (std::isinf(result) && !infinite_operand))
      fail(offset, "the result is not a number that a double can hold");
    return result;
  }

  [[nodiscard]] Value chain(const Node& node) const {
    Value left = evaluate(node.children[0]);
    if (node.operators[0] != '|' && std::holds_alternative<Pipeline>(left)) return composition(std::move(left), node);
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      const std::size_t offset = node.operator_offsets[i];
      if (node.operators[i] == '|') {
        left = pipe(std::move(left), i == 0 ? &node.children[0] : nullptr, offset, node.children[i + 1]);
        continue;
      }
      const Value right = evaluate(node.children[i + 1]);
      const auto* x = std::get_if<double>(&left);
      const auto* y = std::get_if<double>(&right);
      if (!x) fail_operand(left, node.children[0], node.operators[i], offset);
      if (!y) fail_operand(right, node.children[i + 1], node.operators[i], offset);
      left = arithmetic(*x, node.operators[i], *y, offset);
    }
    return left;
  }

  // a + b + c on pipelines: one composition of all of them.
  [[nodiscard]] Value composition(Value first, const Node& node) const {
    std::vector<Pipeline> parts;
    parts.push_back(std::get<Pipeline>(std::move(first)));
    for (std::size_t i = 0; i < node.operators.size(); ++i) {
      Value part = evaluate(node.children[i + 1]);
      auto* pipeline = std::get_if<Pipeline>(&part);
      if (node.operators[i] != '+' || !pipeline)
        fail_operand(part, node.children[i + 1], node.operators[i], node.operator_offsets[i]);
      parts.push_back(std::move(*pipeline));
    }
    try {
      return sum(std::move(parts), settings_);
    } catch (const InvalidArgument& error) {
      throw error.within("+");
    }
  }

  [[noreturn]] void fail_operand(const Value& value, const Node& node, char op, std::size_t offset) const {
    if (const auto* name = std::get_if<Name>(&value)) fail_name(node, name->text);
    if (is_stage(value)) fail(offset, fmt::format("'{}' binds tighter than '|': write (a | x) + (b | y)", op));
    fail(offset, fmt::format("'{}' does not work on these operands; pipelines compose with '+'", op));
  }

  [[nodiscard]] double arithmetic(double x, char op, double y, std::size_t offset) const {
    const bool infinite = std::isinf(x) || std::isinf(y);
    switch (op) {
      case '+': return finite_result(offset, x + y, infinite);
      case '-': return finite_result(offset, x - y, infinite);
      case '*': return finite_result(offset, x * y, infinite);
      default:
        if (y == 0.0) fail(offset, "division by zero");
        return finite_result(offset, x / y, infinite);
    }
  }

  Value pipe(Value left, const Node* left_node, std::size_t offset, const Node& right_node) const {
    auto* pipeline = std::get_if<Pipeline>(&left);
    const auto* first_kernel = std::get_if<Kernel>(&left);
    if (!pipeline && !first_kernel) {
      const auto* name = std::get_if<Name>(&left);
      if (name && left_node) fail_name(*left_node, name->text);
      fail(offset, "'|' needs a source or a pipeline on its left");
    }
    const Value right = evaluate(right_node);
    if (const auto* name = std::get_if<Name>(&right)) fail_name(right_node, name->text);
    const auto* kernel = std::get_if<Kernel>(&right);
    const auto* stage = std::get_if<Stage>(&right);
    if (!stage && !kernel) fail(right_node.offset, "'|' needs a stage on its right; pipelines compose with '+'");
    if (!pipeline && !kernel) fail(offset, "a stage needs a source before it, as in: gaussian(sigma=1) | ...");
    const std::string& text = kernel ? kernel->text : stage->text;
    try {
      if (!pipeline) return followed_by(*first_kernel, *kernel);
      return std::move(*pipeline) | (kernel ? mixing(*kernel, settings_) : *stage);
    } catch (const InvalidArgument& error) {
      throw error.within(text.substr(0, text.find('(')));
    }
  }

  [[nodiscard]] Value call(const Node& node) const {
    const Definition* definition = find_definition(node.text);
    if (!definition) fail_unknown(node, node.text);
    const Arguments arguments = bind(node, *definition);
    try {
      if (definition->is_source()) return std::get<0>(definition->make)(arguments);
      if (definition->is_kernel()) return std::get<2>(definition->make)(arguments);
      return std::get<1>(definition->make)(arguments);
    } catch (const InvalidArgument& error) {
      throw error.within(definition->name);
    }
  }

  [[nodiscard]] Call resolved(const Node& node) const {
    const Definition* definition = find_definition(node.text);
    if (!definition) fail_unknown(node, node.text);
    const Arguments values = bind(node, *definition);
    Call call{.name = definition->name};
    for (const Parameter& parameter : definition->parameters)
      call.arguments.emplace_back(parameter.name, parameter.is_text ? Argument(values.text(parameter.name))
                                                                    : Argument(values.number(parameter.name)));
    return call;
  }

  [[nodiscard]] Arguments bind(const Node& node, const Definition& definition) const {
    std::map<std::string, Argument, std::less<>> values;
    std::size_t position = 0;
    bool keywords_began = false;
    for (const Node& child : node.children) {
      const Parameter* parameter = nullptr;
      if (child.keyword.empty()) {
        if (keywords_began) fail(child.offset, "a positional argument cannot follow a keyword argument");
        if (position >= definition.parameters.size())
          fail(child.offset, fmt::format("too many arguments: {}", definition.signature()));
        parameter = &definition.parameters[position++];
      } else {
        keywords_began = true;
        parameter = &named_parameter(child, definition);
      }
      if (values.contains(parameter->name)) fail(child.offset, fmt::format("{} is given twice", parameter->name));
      values[parameter->name] = argument(child, *parameter);
    }
    for (const Parameter& parameter : definition.parameters) {
      if (values.contains(parameter.name)) continue;
      if (!parameter.standard)
        fail(node.offset, fmt::format("missing argument {}: {}", parameter.name, definition.signature()));
      values[parameter.name] = *parameter.standard;
    }
    return Arguments(std::move(values), settings_);
  }

  [[nodiscard]] const Parameter& named_parameter(const Node& child, const Definition& definition) const {
    std::vector<std::string> names;
    for (const Parameter& parameter : definition.parameters) {
      if (parameter.name == child.keyword) return parameter;
      names.push_back(parameter.name);
    }
    const std::string near = suggestion(child.keyword, names);
    fail(child.keyword_offset,
         fmt::format("{} has no parameter '{}'{}", definition.name, child.keyword.substr(0, 40),
                     near.empty() ? ": " + definition.signature() : fmt::format(", did you mean '{}'?", near)));
  }

  [[nodiscard]] Argument argument(const Node& child, const Parameter& parameter) const {
    if (!parameter.is_text) return number(child);
    const Value value = evaluate(child);
    if (const auto* text = std::get_if<std::string>(&value)) return *text;
    // One word needs no quotes.
    if (const auto* name = std::get_if<Name>(&value)) return name->text;
    fail(child.offset, fmt::format("{} is a text, write it in quotes", parameter.name));
  }

  std::string_view expression_;
  Settings settings_;
  std::optional<double> hole_;
};

// Every hole with the argument it stands in; the argument is null where a hole is only a part of one.
struct HoleAt {
  const Node* hole;
  const Node* call;
};

void find_holes(const Node& node, std::vector<HoleAt>& found) {
  for (const Node& child : node.children) {
    if (child.kind == Node::Kind::kHole)
      found.push_back({&child, node.kind == Node::Kind::kCall ? &node : nullptr});
    else
      find_holes(child, found);
  }
}

}  // namespace

Pipeline parse(std::string_view expression, const Settings& settings) {
  return Evaluator(expression, settings, std::nullopt).whole(parse_syntax(expression));
}

Program program_of(std::string_view expression) {
  const Node node = parse_syntax(expression);
  return Evaluator(expression, {}, std::nullopt).program(node);
}

Kernel parse_kernel(std::string_view expression) {
  return Evaluator(expression, {}, std::nullopt).whole_kernel(parse_syntax(expression));
}

std::optional<Arguments> parse_open_call(std::string_view expression, const Definition& definition,
                                         const std::vector<std::string>& open, double hole) {
  const Node node = parse_syntax(expression);
  const bool is_call = node.kind == Node::Kind::kCall || node.kind == Node::Kind::kName;
  if (!is_call || node.text != definition.name) return std::nullopt;
  std::size_t found = 0;
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    const bool is_positional = child.keyword.empty() && i < definition.parameters.size();
    const std::string& parameter = is_positional ? definition.parameters[i].name : child.keyword;
    const bool is_open = std::find(open.begin(), open.end(), parameter) != open.end();
    if (is_open != (child.kind == Node::Kind::kHole)) return std::nullopt;
    if (is_open) ++found;
  }
  if (found != open.size()) return std::nullopt;
  return Evaluator(expression, {}, hole).arguments(node, definition);
}

ExpressionWithHole::ExpressionWithHole(std::string_view expression)
    : text_(expression), syntax_(std::make_shared<const Node>(parse_syntax(text_))) {
  std::vector<HoleAt> holes;
  find_holes(*syntax_, holes);
  if (syntax_->kind == Node::Kind::kHole || holes.empty())
    throw InvalidArgument("expression: no hole, need one argument written as '?', as in gaussian(sigma=?)");
  if (holes.size() > 1)
    throw ExpressionError(
        text_, holes[1].hole->offset,
        {"a second hole; there can be one, but for ornstein_uhlenbeck(theta=?, rho=?, ...) with ", Option{"radius"}});
  const auto [hole, call] = holes[0];
  const Definition* definition = call ? find_definition(call->text) : nullptr;
  if (!call) throw ExpressionError(text_, hole->offset, "a hole must be a whole argument, as in gaussian(sigma=?)");
  if (!definition) throw ExpressionError(text_, call->offset, "unknown source or stage");
  for (std::size_t i = 0; i < call->children.size(); ++i) {
    if (&call->children[i] != hole) continue;
    for (std::size_t p = 0; p < definition->parameters.size(); ++p)
      if (hole->keyword.empty() ? p == i : definition->parameters[p].name == hole->keyword)
        parameter_ = &definition->parameters[p];
  }
  stage_ = definition->name;
  if (!parameter_) throw ExpressionError(text_, hole->offset, "no such parameter: " + definition->signature());
  if (!parameter_->monotone)
    throw ExpressionError(
        text_, hole->offset,
        fmt::format("{} of {} cannot be solved for: the guarantee is not monotone in it", parameter_->name, stage_));
  domain_ = *parameter_->monotone;
  if (definition->limits)
    domain_ = definition->limits(*parameter_, Evaluator(text_, {}, domain_.low).arguments(*call, *definition));
}

Pipeline ExpressionWithHole::filled(double value, const Settings& settings) const {
  return Evaluator(text_, settings, value).whole(*syntax_);
}

std::string filled(std::string_view expression, double value) {
  std::string text;
  char quote = 0;
  for (const char c : expression) {
    if (c == quote)
      quote = 0;
    else if (quote == 0 && (c == '\'' || c == '"'))
      quote = c;
    if (c == '?' && quote == 0)
      text += format_exact(value);
    else
      text += c;
  }
  return text;
}

}  // namespace doeblin::pipeline
