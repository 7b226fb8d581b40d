// SPDX-License-Identifier: Apache-2.0
#include "commands/settings.hpp"

#include <algorithm>

#include "doeblin/core/text.hpp"

namespace doeblin::commands {
namespace {

Accountant accountant_named(const std::string& name) {
  if (const auto found = kAccountants.value_of(name)) return *found;
  throw InvalidArgument(Option{"accountant"}, "'" + printable(name) + "'", kAccountants.listed());
}

}  // namespace

Settings settings_of(const std::string& accountant, const std::optional<double>& width) {
  Settings settings;
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
