// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/plan.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/suggestion.hpp"
#include "doeblin/pipeline/syntax.hpp"

namespace doeblin::pipeline {
namespace {

constexpr std::uintmax_t kLargestPlan = std::uintmax_t{64} << 20;
constexpr const char* kRunTable = "noisy_sgd";

class Reader {
 public:
  explicit Reader(const std::string& path) : path_(path) {}

  Plan read() {
    const toml::table file = parsed();
    Plan plan;
    for (const auto& [key, node] : file) {
      const std::string_view name = key.str();
      if (name == "name")
        plan.name = text(node, name);
      else if (name == "expression")
        plan.expression = text(node, name);
      else if (name == "target")
        read_target(table(node, name), plan);
      else if (name == kRunTable)
        read_run(table(node, name), plan);
      else
        fail(node, fmt::format("unknown key '{}', need name, expression, target or {}", name, kRunTable));
    }
    if (file.contains("expression") == file.contains(kRunTable))
      throw InvalidArgument(fmt::format("{}: need one of expression and [{}]", path_, kRunTable));
    return plan;
  }

 private:
  [[noreturn]] void fail(const toml::node& node, const std::string& problem) const {
    throw InvalidArgument(fmt::format("{}:{}: {}", path_, node.source().begin.line, problem));
  }

  [[nodiscard]] toml::table parsed() const {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path_, error))
      throw InvalidArgument("plan", fmt::format("'{}'", path_), "an existing regular file");
    if (const auto size = std::filesystem::file_size(path_, error); error || size > kLargestPlan)
      throw InvalidArgument("plan", fmt::format("'{}'", path_),
                            "a file of at most 64 MiB; longer schedules belong into a CSV file");
    std::ifstream file(path_);
    std::stringstream content;
    content << file.rdbuf();
    if (!file) throw InvalidArgument("plan", fmt::format("'{}'", path_), "a readable file");
    try {
      return toml::parse(content.str(), path_);
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

  [[nodiscard]] double number(const toml::node& node, std::string_view name) const {
    if (node.is_integer()) return static_cast<double>(node.as_integer()->get());
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

  // The table as a call of the expression language; lists go into the schedule.
  void read_run(const toml::table& run, Plan& plan) const {
    const Definition& definition = *find_definition(kRunTable);
    Schedule schedule;
    plan.expression = fmt::format("{}(", kRunTable);
    for (const auto& [key, node] : run) {
      const std::string name(key.str());
      const Parameter* parameter = nullptr;
      std::vector<std::string> names;
      for (const Parameter& one : definition.parameters) {
        names.push_back(one.name);
        if (one.name == name) parameter = &one;
      }
      if (!parameter) {
        const std::string near = suggestion(name, names);
        fail(node, fmt::format("{} has no parameter '{}'{}", kRunTable, name,
                               near.empty() ? "" : fmt::format(", did you mean '{}'?", near)));
      }
      if (plan.expression.back() != '(') plan.expression += ", ";
      plan.expression += fmt::format("{}={}", name, argument(*parameter, node, schedule));
    }
    plan.expression += ")";
    if (!schedule.empty()) plan.schedule = std::make_shared<const Schedule>(std::move(schedule));
  }

  std::string argument(const Parameter& parameter, const toml::node& node, Schedule& schedule) const {
    if (node.is_array()) {
      std::vector<double>* list = parameter.name == "learning_rate" ? &schedule.learning_rate
                                  : parameter.name == "sigma"       ? &schedule.sigma
                                  : parameter.name == "lipschitz"   ? &schedule.lipschitz
                                  : parameter.name == "batch"       ? &schedule.batch
                                                                    : nullptr;
      if (!list) fail(node, fmt::format("{} is a list, need a single value", parameter.name));
      for (const toml::node& element : *node.as_array()) list->push_back(number(element, parameter.name));
      if (list->empty()) fail(node, fmt::format("{} is an empty list", parameter.name));
      return "1";
    }
    // A hole for calibrate.
    if (node.is_string() && node.as_string()->get() == "?") return "?";
    if (!parameter.is_text) {
      const double value = number(node, parameter.name);
      return std::isinf(value) ? (value > 0.0 ? "inf" : "-inf") : format_exact(value);
    }
    std::string value = text(node, parameter.name);
    if (value.find_first_of("'\"\\\n") != std::string::npos)
      fail(node, fmt::format("{} contains a quote, a backslash or a line break", parameter.name));
    if (parameter.name == "schedule" && !value.empty())
      value = (std::filesystem::path(path_).parent_path() / value).string();
    return fmt::format("'{}'", value);
  }

  std::string path_;
};

}  // namespace

Settings Plan::settings(Settings base) const {
  base.schedule = schedule;
  return base;
}

bool is_plan(std::string_view text) { return text.ends_with(".toml"); }

Plan read_plan(const std::string& path) { return Reader(path).read(); }

}  // namespace doeblin::pipeline
