// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.hpp"

#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "doeblin/language/schema.hpp"

namespace doeblin::cli {
namespace {

// Commands, long options of each, and the openings of sources as first words of an expression.
std::vector<std::string> long_options(const CLI::App& command) {
  std::vector<std::string> options;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) options.push_back("--" + name);
  return options;
}

std::vector<std::string> source_openings() {
  std::vector<std::string> openings;
  for (const language::Schema& schema : language::schemas())
    if (schema.is_source()) openings.push_back(schema.name + "(");
  return openings;
}

std::vector<std::string> words_of(const CLI::App& command) {
  std::vector<std::string> words = long_options(command);
  const bool takes_expression = command.get_option_no_throw("expression") != nullptr;
  if (takes_expression)
    for (const std::string& opening : source_openings()) words.push_back(opening);
  if (command.get_name() == "completion") words.insert(words.end(), {"bash", "zsh", "fish"});
  return words;
}

std::string bash_script(const CLI::App& app) {
  std::string commands, cases;
  for (const CLI::App* command : app.get_subcommands({})) {
    commands += command->get_name() + " ";
    cases += fmt::format("    {}) words=\"{}\" ;;\n", command->get_name(), fmt::join(words_of(*command), " "));
  }
  return fmt::format(
      "_doeblin() {{\n"
      "  local current=\"${{COMP_WORDS[COMP_CWORD]}}\" words\n"
      "  case \"${{COMP_WORDS[1]}}\" in\n{}"
      "    *) words=\"{}--help --version\" ;;\n"
      "  esac\n"
      "  [ \"$COMP_CWORD\" -eq 1 ] && words=\"{}--help --version\"\n"
      "  COMPREPLY=($(compgen -W \"$words\" -- \"${{current#[\\'\\\"]}}\"))\n"
      "}}\n"
      "complete -o nospace -F _doeblin doeblin\n",
      cases, commands, commands);
}

std::string zsh_script(const CLI::App& app) {
  return "autoload -U +X bashcompinit && bashcompinit\n" + bash_script(app);
}

std::string fish_script(const CLI::App& app) {
  std::string script = "complete -c doeblin -f\n";
  for (const CLI::App* command : app.get_subcommands({})) {
    script += fmt::format("complete -c doeblin -n __fish_use_subcommand -a {} -d '{}'\n", command->get_name(),
                          command->get_description());
    for (const std::string& word : words_of(*command)) {
      const bool is_option = word.starts_with("--");
      script += fmt::format("complete -c doeblin -n '__fish_seen_subcommand_from {}' {} '{}'\n", command->get_name(),
                            is_option ? "-l" : "-a", is_option ? word.substr(2) : word);
    }
  }
  return script;
}

}  // namespace

void add_completion(CLI::App& app) {
  CLI::App* command = app.add_subcommand("completion", "print a completion script for a shell");
  command->footer("Example:\n  doeblin completion bash > ~/.local/share/bash-completion/completions/doeblin");
  const auto shell = std::make_shared<std::string>();
  command->add_option("shell", *shell, "bash, zsh or fish")->required()->check(CLI::IsMember({"bash", "zsh", "fish"}));
  command->callback([shell, &app] {
    std::cout << (*shell == "bash" ? bash_script(app) : *shell == "zsh" ? zsh_script(app) : fish_script(app));
  });
}

}  // namespace doeblin::cli
