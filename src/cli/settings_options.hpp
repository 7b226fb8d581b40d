// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include <CLI/CLI.hpp>

#include "doeblin/pipeline/settings.hpp"

namespace doeblin::cli {

/// --width and --accountant, as they stand on the command line.
struct SettingsOptions {
  std::string width;
  std::string accountant = "auto";

  void add_to(CLI::App& command);
  /// Throws InvalidArgument.
  [[nodiscard]] pipeline::Settings settings() const;
};

}  // namespace doeblin::cli
