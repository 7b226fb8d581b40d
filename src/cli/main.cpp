// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include <cstring>
#include <iostream>
#include <string>
#include <vector>

#include "cli/commands.hpp"
#include "cli/option_list.hpp"
#include "commands/json_output.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/language/suggestion.hpp"

namespace {

// One line, whatever the arguments contained.
std::string one_line(std::string text) {
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  if (text.size() > 500) text = text.substr(0, 497) + "...";
  return text;
}

// CLI11 would only say that a command is missing, or that an argument was not expected.
std::string unknown_word(const CLI::App& app, const std::vector<std::string>& words) {
  if (words.empty() || words[0].starts_with("-")) return {};
  if (const CLI::App* command = doeblin::cli::find_command(app, words[0]))
    return doeblin::cli::unknown_option(app, *command, {words.begin() + 1, words.end()});
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands({})) commands.push_back(command->get_name());
  const std::string near = doeblin::language::suggestion(words[0], commands);
  return "unknown command '" + words[0].substr(0, 40) + "'" +
         (near.empty() ? " (see 'doeblin --help')" : ", did you mean '" + near + "'?");
}

// How an option is written: test_fraction is --test-fraction.
std::string option_name(std::string_view name) {
  std::string text = "--";
  for (const char c : name) text += c == '_' ? '-' : c;
  return text;
}

int fail(const std::string& message, int code, bool json) {
  // In one piece: other processes may write there too.
  std::cerr << "doeblin: " + one_line(message) + "\n";
  if (json) std::cout << doeblin::commands::json_error(one_line(message)) << "\n";
  return code;
}

}  // namespace

// What escapes is a lack of memory, with which no message could be written.
int main(int argc, char** argv) {  // NOLINT(bugprone-exception-escape)
  using namespace doeblin;
  // Transforms allocate and free megabytes many times over: keep the pages instead of asking the kernel again.
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  bool json = false;
  for (int i = 1; i < argc; ++i) json = json || std::strcmp(argv[i], "--json") == 0;

  CLI::App app("Differential-privacy guarantees as rigorous brackets, with their derivation.", "doeblin");
  app.footer("Example:\n  doeblin epsilon 'gaussian(sigma=2) | compose(10)' --delta 1e-6");
  app.set_version_flag("--version", std::string("doeblin ") + DOEBLIN_VERSION);
  app.require_subcommand(1);
  int exit_code = cli::kFine;
  cli::add_commands(app, exit_code);
  if (const std::string problem = unknown_word(app, {argv + 1, argv + argc}); !problem.empty())
    return fail(problem, cli::kBadInput, json);
  try {
    app.parse(argc, argv);
    // An answer that nobody could read is none.
    if (!std::cout.flush()) return fail("standard output: cannot be written", cli::kInternalError, false);
    return exit_code;
  } catch (const CLI::Success& help) {
    return app.exit(help);
  } catch (const CLI::ParseError& error) {
    return fail(std::string(error.what()) + " (see 'doeblin --help')", cli::kBadInput, json);
  } catch (const InvalidArgument& error) {
    return fail(error.message().spelled(option_name), cli::kBadInput, json);
  } catch (const std::exception& error) {
    return fail(std::string("internal error: ") + error.what(), cli::kInternalError, json);
  }
}
