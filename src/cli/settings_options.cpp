// SPDX-License-Identifier: Apache-2.0
#include "cli/settings_options.hpp"

#include "cli/option_forms.hpp"
#include "commands/settings.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/language/number_list.hpp"

namespace doeblin::cli {

Settings SettingsOptions::settings() const {
  if (width.empty()) return commands::settings_of(accountant, std::nullopt);
  const std::vector<double> values = language::parse_values("--width", {width});
  if (values.size() != 1) throw InvalidArgument("--width", "'" + width + "'", "one number");
  return commands::settings_of(accountant, values[0]);
}

void add_settings(CLI::App& command, SettingsOptions& options) {
  command.add_option("--width", options.width,
                     "how narrow compositions should be: nats in epsilon, and ten times that as a fraction of delta "
                     "(0.001: 1e-3 nats, 1%)");
  command.add_option("--accountant", options.accountant, "auto, pld (privacy-loss distributions), renyi or basic")
      ->capture_default_str()
      ->type_name(one_of(kAccountants));
}

}  // namespace doeblin::cli
