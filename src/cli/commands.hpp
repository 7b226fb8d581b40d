// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace doeblin::cli {

/// Exit codes of the program.
enum ExitCode { kFine = 0, kInternalError = 1, kBadInput = 2, kNotAccurate = 3 };

/// Exit code of a command that Ctrl-C ended, as shells have it.
inline constexpr int kInterrupted = 130;

/// Adds every command to the program; the exit code of the one that runs ends up in `exit_code`.
void add_commands(CLI::App& app, int& exit_code);

}  // namespace doeblin::cli
