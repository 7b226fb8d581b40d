// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

namespace doeblin::cli {

/// The options of a command with those of its groups; arguments without a name too.
[[nodiscard]] std::vector<const CLI::Option*> options_of(const CLI::App& command);

/// "delta" for --delta, and so on.
[[nodiscard]] std::vector<std::string> option_names(const CLI::App& command);

/// Null when there is none of this name.
[[nodiscard]] const CLI::Option* find_option(const CLI::App& command, std::string_view name);

/// Null when there is no command of this name.
[[nodiscard]] const CLI::App* find_command(const CLI::App& app, std::string_view name);

/// An argument of the command is an expression.
[[nodiscard]] bool takes_expression(const CLI::App& command);

/// What is wrong with the options of a command, before anything is read: one that there is not, and what was probably
/// meant. Empty when every option is one. `words` are those after the name of the command.
[[nodiscard]] std::string unknown_option(const CLI::App& app, const CLI::App& command,
                                         const std::vector<std::string>& words);

}  // namespace doeblin::cli
