// SPDX-License-Identifier: Apache-2.0
#include "cli/completion.hpp"

#include <iostream>
#include <memory>

#include "cli/candidates.hpp"
#include "cli/option_forms.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/words.hpp"

namespace doeblin::cli {
namespace {

// The scripts ask the program, 'doeblin completion words -- WORDS...', so that all shells offer the same. Its first
// line says what the other lines are.
constexpr std::string_view kWordsOf = "words";

constexpr auto kKinds = words<Candidates::Kind>({{"words", Candidates::Kind::kWords},
                                                 {"pieces", Candidates::Kind::kPieces},
                                                 {"files", Candidates::Kind::kFiles},
                                                 {"folders", Candidates::Kind::kFolders}});

constexpr const char* kBashScript = R"(_doeblin() {
  local kind line word="${COMP_WORDS[COMP_CWORD]}"
  local written="${word#[\'\"]}"
  [ "$written" = "=" ] && written=""
  COMPREPLY=()
  while IFS= read -r line; do
    case "$kind" in
      "") kind="$line" ;;
      words) COMPREPLY+=("$line ") ;;
      *) COMPREPLY+=("$line") ;;
    esac
  done < <("$1" completion words -- "${COMP_WORDS[@]:1:COMP_CWORD}" 2> /dev/null)
  case "$kind" in
    files | folders)
      compopt -o filenames +o nospace 2> /dev/null
      local only=-f
      [ "$kind" = folders ] && only=-d
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen "$only" -- "$written")
      ;;
    pieces)
      local i
      for i in "${!COMPREPLY[@]}"; do
        # An expression needs quotes in a shell.
        [ "$word" = "$written" ] && case "${COMPREPLY[i]}" in *\(*) COMPREPLY[i]="'${COMPREPLY[i]}" ;; esac
      done
      # A piece that stands alone would get a closing quote, though the expression goes on.
      [ ${#COMPREPLY[@]} -eq 1 ] && case "${COMPREPLY[0]}" in *\(*) COMPREPLY+=("${COMPREPLY[0]} ") ;; esac
      ;;
  esac
}
complete -o nospace -F _doeblin doeblin
)";

constexpr const char* kZshScript = R"(#compdef doeblin
_doeblin() {
  local -a answer
  answer=("${(@f)$("${words[1]}" completion words -- "${(@)words[2,CURRENT]}" 2> /dev/null)}")
  case "${answer[1]}" in
    files) _files ;;
    folders) _files -/ ;;
    pieces) shift answer; compadd -S '' -- "${(@)answer}" ;;
    words) shift answer; compadd -- "${(@)answer}" ;;
  esac
}
compdef _doeblin doeblin
)";

constexpr const char* kFishScript = R"(function __doeblin_candidates
  set -l words (commandline -opc) (commandline -ct)
  set -l answer ($words[1] completion words -- $words[2..-1] 2> /dev/null)
  switch "$answer[1]"
    case files
      __fish_complete_path (commandline -ct)
    case folders
      __fish_complete_directories (commandline -ct)
    case words pieces
      string join \n -- $answer[2..-1]
  end
end
complete -c doeblin -f -a '(__doeblin_candidates)'
)";

constexpr auto kShells = words<const char*>({{"bash", kBashScript}, {"zsh", kZshScript}, {"fish", kFishScript}});

void print(const Candidates& candidates) {
  std::cout << kKinds.word_of(candidates.kind) << "\n";
  for (const std::string& word : candidates.words) std::cout << word << "\n";
}

std::string script_for(const std::string& shell) {
  if (const auto script = kShells.value_of(shell)) return *script;
  throw InvalidArgument("shell", "'" + printable(shell) + "'", kShells.listed());
}

}  // namespace

void add_completion(CLI::App& app) {
  struct Options {
    std::string shell;
    std::vector<std::string> typed;
  };
  CLI::App* command = app.add_subcommand("completion", "print a completion script for a shell");
  command->footer("Example:\n  doeblin completion bash > ~/.local/share/bash-completion/completions/doeblin");
  const auto options = std::make_shared<Options>();
  command->add_option("shell", options->shell, "bash, zsh or fish")->required()->type_name(one_of(kShells));
  // What the scripts call, which nobody else needs to know about.
  command->add_option("typed", options->typed, "")->group("");
  command->callback([options, &app] {
    if (options->shell == kWordsOf)
      print(candidates(app, options->typed));
    else
      std::cout << script_for(options->shell);
  });
}

}  // namespace doeblin::cli
