// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/plan.hpp"

#include <cmath>
#include <filesystem>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/input_file.hpp"
#include "doeblin/language/expression.hpp"
#include "doeblin/language/suggestion.hpp"
#include "doeblin/language/syntax.hpp"

namespace doeblin::language {
namespace {

// Longer schedules belong into a CSV file.
constexpr std::uintmax_t kLargestPlan = std::uintmax_t{64} << 20;

// A run may be written as a table of its own.
const std::string& run_table() { return schema_with(Role::kRun).name; }

class PlanReader {
 public:
  PlanReader(std::string path, Operand operand) : path_(std::move(path)), operand_(std::move(operand)) {}

  Plan read() {
    const toml::table file = parsed();
    Plan plan;
    if (file.contains("expression") && file.contains(run_table())) fail_without_program();
    for (const auto& [key, node] : file) {
      const std::string_view name = key.str();
      if (name == "name")
        plan.name = text(node, name);
      else if (name == "expression")
        plan.program = parse_open(text(node, name), operand_);
      else if (name == "target")
        read_target(table(node, name), plan);
      else if (name == run_table())
        plan.program = read_run(table(node, name));
      else
        fail(node, fmt::format("unknown key '{}', need name, expression, target or {}", name, run_table()));
    }
    if (!file.contains("expression") && !file.contains(run_table())) fail_without_program();
    return plan;
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
    throw InvalidArgument(fmt::format("{}:{}: {}", path_, node.source().begin.line, problem));
  }

  [[noreturn]] void fail_without_program() const {
    throw InvalidArgument(fmt::format("{}: need one of expression and [{}]", path_, run_table()));
  }

  [[nodiscard]] toml::table parsed() const {
    const std::string content = io::read_whole(path_, kLargestPlan, "plan");
    try {
      return toml::parse(content, path_);
    } catch (const toml::parse_error& problem) {
      // What the parser saw may be anything, a line break too.
      throw InvalidArgument(
          fmt::format("{}:{}: {}", path_, problem.source().begin.line, printable(problem.description(), 200)));
    }
  }

  [[nodiscard]] const toml::table& table(const toml::node& node, std::string_view name) const {
    if (!node.is_table()) fail(node, fmt::format("{} is not a table", name));
    return *node.as_table();
  }

  [[nodiscard]] std::string text(const toml::node& node, std::string_view name) const {
    if (!node.is_string()) fail(node, fmt::format("{} is not a text", name));
    return node.as_string()->get();
  }

  // "256/60000"
  [[nodiscard]] double arithmetic(const toml::node& node, std::string_view name) const {
    try {
      return parse_number(node.as_string()->get());
    } catch (const InvalidArgument&) {
      fail(node, fmt::format("{} is not a number", name));
    }
  }

  [[nodiscard]] double number(const toml::node& node, std::string_view name) const {
    if (node.is_integer()) return static_cast<double>(node.as_integer()->get());
    if (node.is_string()) return arithmetic(node, name);
    if (!node.is_floating_point() || std::isnan(node.as_floating_point()->get()))
      fail(node, fmt::format("{} is not a number", name));
    return node.as_floating_point()->get();
  }

  void read_target(const toml::table& target, Plan& plan) const {
    for (const auto& [key, node] : target) {
      if (key.str() == "epsilon")
        plan.epsilon = number(node, key.str());
      else if (key.str() == "delta")
        plan.delta = number(node, key.str());
      else
        fail(node, fmt::format("unknown key '{}' of target, need epsilon or delta", key.str()));
    }
  }

  [[nodiscard]] Program read_run(const toml::table& run) const {
    const Schema& schema = schema_with(Role::kRun);
    std::vector<std::pair<std::string, Argument>> given;
    for (const auto& [key, node] : run) {
      const std::string name(key.str());
      const Parameter* const parameter = schema.parameter(name);
      if (parameter == nullptr)
        fail(node, fmt::format("{} has no parameter '{}'{}", run_table(), printable(name), advice_about(schema, name)));
      given.emplace_back(name, argument(*parameter, node));
    }
    for (const Parameter& parameter : schema.parameters)
      if (!parameter.standard && !run.contains(parameter.name))
        fail(run, fmt::format("missing argument {}: {}", parameter.name, schema.signature()));
    return {.call = call_of(schema, given)};
  }

  [[nodiscard]] Argument argument(const Parameter& parameter, const toml::node& node) const {
    if (node.is_array()) {
      if (!parameter.may_change) fail(node, fmt::format("{} is a list, need a single value", parameter.name));
      std::vector<double> list;
      for (const toml::node& element : *node.as_array()) list.push_back(number(element, parameter.name));
      if (list.empty()) fail(node, fmt::format("{} is an empty list", parameter.name));
      return list;
    }
    if (!parameter.is_text()) {
      if (node.is_string() && node.as_string()->get() == "?") return Hole{};
      return number(node, parameter.name);
    }
    std::string value = text(node, parameter.name);
    if (value.find_first_of("'\"\\\n") != std::string::npos)
      fail(node, fmt::format("{} contains a quote, a backslash or a line break", parameter.name));
    if (parameter.type == Type::kFile && !value.empty())
      value = (std::filesystem::path(path_).parent_path() / value).string();
    return value;
  }

  std::string path_;
  Operand operand_;
};

}  // namespace

bool is_plan(std::string_view text) { return text.ends_with(".toml"); }

Plan read_plan(const std::string& path, const Operand& operand) { return PlanReader(path, operand).read(); }

}  // namespace doeblin::language
