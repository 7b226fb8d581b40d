// SPDX-License-Identifier: Apache-2.0
#include "cli/option_values.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/language/number_list.hpp"

namespace doeblin::cli {
namespace {

double number_in(const std::string& option, const std::string& text) {
  const std::vector<double> values = language::parse_values(option, {text});
  if (values.size() != 1) throw InvalidArgument(option, fmt::format("'{}'", printable(text)), "one number");
  return values[0];
}

// "NAME=REST"; the name may contain a sign of its own.
std::pair<std::string, std::string> split_assignment(const std::string& option, const std::string& text,
                                                     const char* form) {
  const std::size_t sign = text.rfind('=');
  if (sign == std::string::npos || sign == 0) throw InvalidArgument(option, fmt::format("'{}'", printable(text)), form);
  return {text.substr(0, sign), text.substr(sign + 1)};
}

}  // namespace

training::Bounds parse_bounds(const std::string& option, const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos || colon == 0 || colon + 1 == text.size())
    throw InvalidArgument(option, fmt::format("'{}'", printable(text)), "LOW:HIGH");
  return {number_in(option, text.substr(0, colon)), number_in(option, text.substr(colon + 1))};
}

training::PatternBounds parse_pattern_bounds(const std::string& option, const std::string& text) {
  const auto [pattern, bounds] = split_assignment(option, text, "COLUMN=LOW:HIGH");
  return {pattern, parse_bounds(option, bounds)};
}

std::vector<std::string> parse_names(const std::string& option, const std::string& text) {
  std::vector<std::string> names;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('|', begin), text.size());
    names.emplace_back(trimmed(std::string_view(text).substr(begin, end - begin)));
    if (names.back().empty())
      throw InvalidArgument(option, fmt::format("'{}'", printable(text)), "names separated by |, none of them empty");
    begin = end + 1;
  }
  return names;
}

training::Categories parse_categories(const std::string& option, const std::string& text) {
  const std::size_t sign = text.find('=');
  if (sign == std::string::npos || sign == 0)
    throw InvalidArgument(option, fmt::format("'{}'", printable(text)), "COLUMN=a|b|c");
  return {text.substr(0, sign), parse_names(option, text.substr(sign + 1))};
}

std::optional<double> optional_number(const std::string& option, const std::vector<std::string>& texts) {
  if (texts.empty()) return std::nullopt;
  const std::vector<double> values = language::parse_values(option, texts);
  if (values.size() != 1) throw InvalidArgument(option + ": one value is needed");
  return values[0];
}

std::optional<double> optional_whole(const std::string& option, const std::vector<std::string>& texts) {
  const std::optional<double> value = optional_number(option, texts);
  if (value) require_whole(option, *value, 0.0, 0x1p53, "a whole number from 0 to 2^53");
  return value;
}

}  // namespace doeblin::cli
