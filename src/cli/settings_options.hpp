// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "doeblin/core/settings.hpp"

namespace doeblin::cli {

/// --width and --accountant, as they are written.
struct SettingsOptions {
  std::string width = {};
  std::string accountant = "auto";

  /// Errors   InvalidArgument
  [[nodiscard]] Settings settings() const;
};

/// Adds --width and --accountant. The options must stay where they are.
void add_settings(CLI::App& command, SettingsOptions& options);

}  // namespace doeblin::cli
