// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/training/encoding.hpp"

/// Forms that options are written in.
/// Errors   InvalidArgument that names the option
namespace doeblin::cli {

/// "LOW:HIGH"
[[nodiscard]] training::Bounds parse_bounds(const std::string& option, const std::string& text);
/// "PATTERN=LOW:HIGH"
[[nodiscard]] training::PatternBounds parse_pattern_bounds(const std::string& option, const std::string& text);
/// "a|b|c"
[[nodiscard]] std::vector<std::string> parse_names(const std::string& option, const std::string& text);
/// "COLUMN=a|b|c"
[[nodiscard]] training::Categories parse_categories(const std::string& option, const std::string& text);
/// One number, if there is any.
[[nodiscard]] std::optional<double> optional_number(const std::string& option, const std::vector<std::string>& texts);
/// Likewise, from 0 to 2^53.
[[nodiscard]] std::optional<double> optional_whole(const std::string& option, const std::vector<std::string>& texts);

}  // namespace doeblin::cli
