// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace doeblin::language {

/// The numbers of an option: each text is a number, a comma-separated list, or a range start:stop:step. Numbers may be
/// arithmetic, as in an expression: 1/48000. Each is the nearest double to what is meant (catalogue C10), points of a
/// range too.
/// Errors   InvalidArgument naming the option
[[nodiscard]] std::vector<double> parse_values(const std::string& option, const std::vector<std::string>& texts);

}  // namespace doeblin::language
