// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands/settings.hpp"

namespace doeblin::cli {

/// Adds --width and --accountant. The options must stay where they are.
void add_settings(CLI::App& command, commands::SettingsOptions& options);

}  // namespace doeblin::cli
