// SPDX-License-Identifier: Apache-2.0
#include "commands/settings.hpp"

#include <algorithm>

#include "doeblin/core/text.hpp"

namespace doeblin::commands {
namespace {

pipeline::Accountant accountant_named(const std::string& name) {
  using pipeline::Accountant;
  if (name == "auto") return Accountant::kAuto;
  if (name == "pld") return Accountant::kPld;
  if (name == "renyi") return Accountant::kRenyi;
  if (name == "basic") return Accountant::kBasic;
  throw InvalidArgument(Option{"accountant"}, "'" + printable(name) + "'", "auto, pld, renyi or basic");
}

}  // namespace

pipeline::Settings settings_of(const std::string& accountant, const std::optional<double>& width) {
  pipeline::Settings settings;
  settings.accountant = accountant_named(accountant);
  if (!width) return settings;
  require(*width >= 1e-7 && *width <= 1.0, Option{"width"}, *width, "1e-7 <= width <= 1");
  settings.goal = {.epsilon_width = *width,
                   .epsilon_relative_width = 0.0,
                   .large_epsilon = rounding::kInfinity,
                   .delta_width = std::min(0.5, 10.0 * *width)};
  return settings;
}

}  // namespace doeblin::commands
