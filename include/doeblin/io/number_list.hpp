// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace doeblin::io {

/// The numbers of an option: each text is a number, a comma-separated list, or a range start:stop:step whose points
/// are the nearest doubles to their 15-digit decimals.
/// Errors   InvalidArgument naming the option
[[nodiscard]] std::vector<double> parse_values(const std::string& option, const std::vector<std::string>& texts);

}  // namespace doeblin::io
