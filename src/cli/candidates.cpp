// SPDX-License-Identifier: Apache-2.0
#include "cli/candidates.hpp"

#include <algorithm>
#include <filesystem>

#include "cli/option_forms.hpp"
#include "cli/option_list.hpp"
#include "doeblin/language/continuation.hpp"

namespace doeblin::cli {
namespace {

using Kind = Candidates::Kind;

Candidates beginning_with(const std::string& begun, const std::vector<std::string>& all) {
  Candidates result;
  std::copy_if(all.begin(), all.end(), std::back_inserter(result.words),
               [&](const std::string& word) { return word.starts_with(begun); });
  return result;
}

// Names of files that begin so, and of folders with a slash; with an ending, only files that have it.
std::vector<std::string> paths(const std::string& begun, std::string_view ending = "") {
  const std::size_t slash = begun.rfind('/');
  const std::string folder = slash == std::string::npos ? "" : begun.substr(0, slash + 1);
  const std::string start = begun.substr(folder.size());
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder.empty() ? "." : folder, error)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || (name.starts_with('.') && start.empty())) continue;
    if (entry.is_directory(error))
      found.push_back(folder + name + "/");
    else if (name.ends_with(ending))
      found.push_back(folder + name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

// What is in quotes inside an expression is the name of a file; what is no expression may be one as a whole.
Candidates of_expression(const std::string& begun, language::Written written, std::string_view ending) {
  const language::Continuation next = language::continuation(begun, written);
  const std::string kept = begun.substr(0, next.kept);
  Candidates result{.kind = Kind::kPieces};
  for (const std::string& word : next.is_file ? paths(begun.substr(next.kept)) : next.words)
    result.words.push_back(kept + word);
  if (next.kept == 0)
    for (std::string& path : paths(begun, ending)) result.words.push_back(std::move(path));
  return result;
}

Candidates of_form(const std::string& form, const std::string& begun) {
  if (form == kFile) return {.kind = Kind::kFiles};
  if (form == kFolder) return {.kind = Kind::kFolders};
  if (form == kPipeline) return of_expression(begun, language::Written::kPipeline, ".toml");
  if (form == kKernel) return of_expression(begun, language::Written::kKernels, "");
  return beginning_with(begun, choices_of(form));
}

Candidates options(const CLI::App& command, const std::string& begun) {
  std::vector<std::string> names = option_names(command);
  for (std::string& name : names) name.insert(0, "--");
  return beginning_with(begun, names);
}

// "--order=per" in one word: what is offered has the option in front.
Candidates after_equals(const CLI::App& command, const std::string& word) {
  const std::size_t equals = word.find('=');
  const CLI::Option* const option = find_option(command, word.substr(2, equals - 2));
  if (option == nullptr) return {};
  const std::string begun = word.substr(equals + 1);
  Candidates result = of_form(option->get_type_name(), begun);
  if (result.kind == Kind::kFiles || result.kind == Kind::kFolders) result = {Kind::kPieces, paths(begun)};
  for (std::string& one : result.words) one.insert(0, word, 0, equals + 1);
  return result;
}

// What the next word is, after those before it.
struct Awaited {
  const CLI::Option* option = nullptr;  // whose value it is
  int values = 0;                       // how many more that option takes
  std::size_t place = 0;                // else it is this argument without a name
};

Awaited awaited(const CLI::App& command, const std::vector<std::string>& before) {
  Awaited next;
  for (const std::string& word : before) {
    const bool is_option = word.size() > 1 && word[0] == '-';
    if (is_option) {
      const std::vector<const CLI::Option*> all = options_of(command);
      const auto found = std::find_if(all.begin(), all.end(), [&](const auto* one) { return one->check_name(word); });
      next.option = found != all.end() ? *found : nullptr;
      next.values = next.option != nullptr ? next.option->get_items_expected_max() : 0;
    } else if (next.values > 0) {
      --next.values;
    } else {
      ++next.place;
    }
  }
  return next;
}

Candidates of_command(const CLI::App& command, const std::vector<std::string>& before, const std::string& begun) {
  if (begun.starts_with("--") && begun.find('=') != std::string::npos) return after_equals(command, begun);
  if (begun.starts_with("-")) return options(command, begun);
  const Awaited next = awaited(command, before);
  if (next.values > 0) return of_form(next.option->get_type_name(), begun);
  std::size_t place = 0;
  for (const CLI::Option* option : options_of(command))
    if (option->get_positional() && place++ == next.place) return of_form(option->get_type_name(), begun);
  return options(command, begun);
}

}  // namespace

std::vector<std::string> choices_of(std::string_view form) {
  constexpr std::string_view kLetters = "abcdefghijklmnopqrstuvwxyz0123456789_|";
  if (form.find('|') == std::string_view::npos || form.find_first_not_of(kLetters) != std::string_view::npos) return {};
  std::vector<std::string> choices;
  for (std::size_t begin = 0; begin <= form.size();) {
    const std::size_t end = std::min(form.find('|', begin), form.size());
    choices.emplace_back(form.substr(begin, end - begin));
    begin = end + 1;
  }
  return choices;
}

Candidates candidates(const CLI::App& app, std::vector<std::string> typed) {
  if (typed.empty()) typed.emplace_back();
  std::string begun = typed.back();
  typed.pop_back();
  if (begun.starts_with('\'') || begun.starts_with('"'))
    begun.erase(0, 1);
  else
    std::erase(begun, '\\');
  // Bash makes words of "--order", "=" and "per".
  if (begun == "=") begun.clear();
  std::erase(typed, "=");
  if (typed.empty()) {
    std::vector<std::string> first;
    for (const CLI::App* command : app.get_subcommands({})) first.push_back(command->get_name());
    first.insert(first.end(), {"--help", "--version"});
    return beginning_with(begun, first);
  }
  const CLI::App* const command = find_command(app, typed[0]);
  if (command == nullptr) return {};
  return of_command(*command, {typed.begin() + 1, typed.end()}, begun);
}

}  // namespace doeblin::cli
