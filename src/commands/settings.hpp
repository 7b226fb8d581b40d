// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "doeblin/core/settings.hpp"

namespace doeblin::commands {

/// The settings that an accountant's name and a width ask for. `width` is how narrow compositions should be: nats in
/// epsilon, and ten times that as a fraction of delta.
/// Errors   InvalidArgument
[[nodiscard]] Settings settings_of(const std::string& accountant, const std::optional<double>& width);

}  // namespace doeblin::commands
