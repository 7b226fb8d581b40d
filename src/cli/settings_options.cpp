// SPDX-License-Identifier: Apache-2.0
#include "cli/settings_options.hpp"

#include "doeblin/pipeline/number_list.hpp"

namespace doeblin::cli {

void SettingsOptions::add_to(CLI::App& command) {
  command.add_option("--width", width,
                     "how narrow compositions should be: nats in epsilon, and ten times that as a fraction of delta "
                     "(0.001: 1e-3 nats, 1%)");
  command.add_option("--accountant", accountant, "auto, pld (privacy-loss distributions), renyi or basic")
      ->capture_default_str();
}

pipeline::Settings SettingsOptions::settings() const {
  using pipeline::Accountant;
  pipeline::Settings settings;
  if (accountant == "auto")
    settings.accountant = Accountant::kAuto;
  else if (accountant == "pld")
    settings.accountant = Accountant::kPld;
  else if (accountant == "renyi")
    settings.accountant = Accountant::kRenyi;
  else if (accountant == "basic")
    settings.accountant = Accountant::kBasic;
  else
    throw InvalidArgument("--accountant", "'" + accountant + "'", "auto, pld, renyi or basic");
  if (width.empty()) return settings;
  const std::vector<double> values = pipeline::parse_values("--width", {width});
  if (values.size() != 1) throw InvalidArgument("--width", "'" + width + "'", "one number");
  require(values[0] >= 1e-7 && values[0] <= 1.0, "--width", values[0], "1e-7 <= width <= 1");
  settings.goal = {.epsilon_width = values[0],
                   .epsilon_relative_width = 0.0,
                   .large_epsilon = rounding::kInfinity,
                   .delta_width = std::min(0.5, 10.0 * values[0])};
  return settings;
}

}  // namespace doeblin::cli
