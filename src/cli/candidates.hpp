// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <CLI/CLI.hpp>

namespace doeblin::cli {

/// How the word that is being written may end.
struct Candidates {
  enum class Kind {
    kWords,   ///< in one of these, and a blank comes next
    kPieces,  ///< it goes on after one of these
    kFiles,   ///< in the name of a file, which shells know better
    kFolders
  };
  Kind kind = Kind::kWords;
  std::vector<std::string> words = {};
};

/// `typed` is what stands after the name of the program, as a shell splits it; the last word is being written, and may
/// begin with a quote.
[[nodiscard]] Candidates candidates(const CLI::App& app, std::vector<std::string> typed);

}  // namespace doeblin::cli
