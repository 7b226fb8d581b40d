// SPDX-License-Identifier: Apache-2.0
#include "cli/option_list.hpp"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "doeblin/core/text.hpp"
#include "doeblin/language/schema.hpp"
#include "doeblin/language/suggestion.hpp"
#include "doeblin/pipeline/question.hpp"

namespace doeblin::cli {
namespace {

constexpr std::size_t kLongestShown = 40;
constexpr std::size_t kMostCommandsNamed = 3;

// --delta is asked for by a command; the argument of a source has the same name.
bool is_asked_for(std::string_view name) {
  using pipeline::Quantity;
  for (const Quantity quantity : {Quantity::kEpsilon, Quantity::kDelta, Quantity::kRdp})
    if (name == pipeline::names(quantity).argument) return true;
  return false;
}

// How a parameter is written: the example of the first source or stage that has it, or its signature.
std::string way_to_write(const std::string& parameter) {
  for (const language::Schema& schema : language::schemas()) {
    if (schema.parameter(parameter) == nullptr) continue;
    return schema.example.find(parameter + "=") != std::string::npos ? schema.example : schema.signature();
  }
  return {};
}

std::string commands_with(const CLI::App& app, std::string_view name) {
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({}))
    if (find_option(*command, name) != nullptr) commands.push_back("'" + command->get_name() + "'");
  if (commands.empty()) return {};
  const bool are_all = commands.size() <= kMostCommandsNamed;
  if (!are_all) commands.resize(kMostCommandsNamed);
  return fmt::format("; {}{} {}", fmt::join(commands, ", "), are_all ? "" : " and others",
                     commands.size() == 1 ? "has it" : "have it");
}

// How to go on after an option that there is not.
std::string advice(const CLI::App& app, const CLI::App& command, const std::string& name) {
  std::string word = name;
  std::replace(word.begin(), word.end(), '-', '_');
  const std::vector<std::string> meant = language::parameters_meant_by(word);
  const std::vector<std::string> names = option_names(command);
  for (std::string parameter : meant) {
    std::replace(parameter.begin(), parameter.end(), '_', '-');
    if (std::find(names.begin(), names.end(), parameter) != names.end())
      return fmt::format(", did you mean '--{}'?", parameter);
  }
  if (const std::string near = language::suggestion(name, names); !near.empty())
    return fmt::format(", did you mean '--{}'?", near);
  if (takes_expression(command) && !meant.empty() && !is_asked_for(meant[0]))
    return fmt::format(": {} is an argument of the expression, as in {}", meant[0], way_to_write(meant[0]));
  if (std::string commands = commands_with(app, name); !commands.empty()) return commands;
  return fmt::format(" (see 'doeblin {} --help')", command.get_name());
}

}  // namespace

std::vector<const CLI::Option*> options_of(const CLI::App& command) {
  std::vector<const CLI::Option*> all = command.get_options();
  // Groups of options are nameless commands to CLI11.
  for (const CLI::App* group : command.get_subcommands({})) {
    const std::vector<const CLI::Option*> more = group->get_options();
    all.insert(all.end(), more.begin(), more.end());
  }
  return all;
}

std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : options_of(command))
    for (const std::string& name : option->get_lnames())
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  return names;
}

const CLI::Option* find_option(const CLI::App& command, std::string_view name) {
  for (const CLI::Option* option : options_of(command))
    if (option->check_lname(std::string(name))) return option;
  return nullptr;
}

const CLI::App* find_command(const CLI::App& app, std::string_view name) {
  for (const CLI::App* command : app.get_subcommands({}))
    if (command->get_name() == name) return command;
  return nullptr;
}

bool takes_expression(const CLI::App& command) { return command.get_option_no_throw("expression") != nullptr; }

std::string unknown_option(const CLI::App& app, const CLI::App& command, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--") break;
    // Anything else is a value, as to CLI11.
    if (!word.starts_with("--") || word.size() < 3 || std::isalpha(static_cast<unsigned char>(word[2])) == 0) continue;
    const std::string name = word.substr(2, word.find('=') - 2);
    if (find_option(command, name) != nullptr) continue;
    return fmt::format("{}: unknown option '--{}'{}", command.get_name(), printable(name.substr(0, kLongestShown)),
                       advice(app, command, name));
  }
  return {};
}

}  // namespace doeblin::cli
