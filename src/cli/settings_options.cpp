// SPDX-License-Identifier: Apache-2.0
#include "cli/settings_options.hpp"

namespace doeblin::cli {

void add_settings(CLI::App& command, commands::SettingsOptions& options) {
  command.add_option("--width", options.width,
                     "how narrow compositions should be: nats in epsilon, and ten times that as a fraction of delta "
                     "(0.001: 1e-3 nats, 1%)");
  command.add_option("--accountant", options.accountant, "auto, pld (privacy-loss distributions), renyi or basic")
      ->capture_default_str();
}

}  // namespace doeblin::cli
