// SPDX-License-Identifier: Apache-2.0
#include "report/numbers.hpp"

#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"

namespace doeblin::report {

std::string plain(std::string_view number) {
  if (number == "inf") return "infinity";
  const std::size_t e = number.find('e');
  if (e == std::string_view::npos || number == "-inf") return std::string(number);
  std::size_t digits = e + 1;
  const bool is_negative = digits < number.size() && number[digits] == '-';
  while (digits + 1 < number.size() && (number[digits] == '-' || number[digits] == '+' || number[digits] == '0'))
    ++digits;
  return std::string(number.substr(0, e + 1)) + (is_negative ? "-" : "") + std::string(number.substr(digits));
}

std::string exact_text(double x) { return plain(format_exact(x)); }
std::string upper_text(double x, int digits) { return plain(format_up(x, digits)); }
std::string lower_text(double x, int digits) { return plain(format_down(x, digits)); }

std::string bracket_text(const Bracket& x, int digits) {
  if (x.is_exact()) return "exactly " + exact_text(x.upper());
  if (x.lower() <= 0.0) return "at most " + upper_text(x.upper(), digits);
  return "between " + lower_text(x.lower(), digits) + " and " + upper_text(x.upper(), digits);
}

std::string chance_text(double probability) {
  if (!(probability >= 1e-15 && probability <= 0.1)) return {};
  const double inverse = 1.0 / probability;
  // Two digits, downward: one in fewer is more likely. A power of ten may be off by the rounding of its inverse.
  const double unit = std::pow(10.0, std::floor(std::log10(inverse) + 1e-9) - 1.0);
  const double rounded = std::floor(inverse / unit * (1.0 + 1e-12)) * unit;
  return "1 in " + count_text(static_cast<std::size_t>(std::llround(rounded)));
}

std::string times_text(double factor) {
  if (!(factor >= 1000.0 && factor <= 1e15)) return upper_text(factor, 3);
  const double unit = std::pow(10.0, std::floor(std::log10(factor)) - 2.0);
  return count_text(static_cast<std::size_t>(std::llround(std::ceil(factor / unit) * unit)));
}

std::string factor_text(double epsilon) {
  if (!(epsilon >= 0.0 && epsilon <= 20.0)) return {};
  return epsilon == 0.0 ? "1" : times_text(std::exp(epsilon) * (1.0 + 1e-12));
}

std::string count_text(std::size_t count) {
  std::string text = fmt::format("{}", count);
  for (std::size_t from_end = 3; from_end < text.size(); from_end += 4) text.insert(text.size() - from_end, ",");
  return text;
}

std::string_view value_name(bool is_epsilon) { return is_epsilon ? "epsilon" : "delta"; }
std::string_view argument_name(bool is_epsilon) { return is_epsilon ? "delta" : "epsilon"; }

}  // namespace doeblin::report
