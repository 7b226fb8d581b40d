// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace doeblin::cli {

/// Adds the command `completion bash|zsh|fish`, which prints a completion script for that shell, made from the
/// program's own commands, options, sources and stages.
void add_completion(CLI::App& app);

}  // namespace doeblin::cli
