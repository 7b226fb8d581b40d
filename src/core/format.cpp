// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/format.hpp"

#include <cmath>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin {

double nearest_double(std::string_view decimal) {
  double value = 0.0;
  const auto [end, error] = fast_float::from_chars(decimal.data(), decimal.data() + decimal.size(), value);
  ensure(end == decimal.data() + decimal.size(), "the text is a decimal number");
  return value;
}

std::string format_exact(double x) { return fmt::format("{}", x); }

std::string format_up(double x, int digits) {
  if (!std::isfinite(x) || x == 0.0) return fmt::format("{}", x + 0.0);
  std::string text = fmt::format("{:.{}g}", x, digits);
  if (nearest_double(text) < x) {
    // Rounding to nearest went down; half a unit of the last digit more makes it go up.
    const double unit = std::pow(10.0, std::floor(std::log10(std::fabs(x))) - (digits - 1));
    text = fmt::format("{:.{}g}", x + 0.5 * unit, digits);
  }
  return nearest_double(text) < x ? format_exact(x) : text;
}

std::string format_down(double x, int digits) {
  const std::string negated = format_up(-x, digits);
  if (negated == "0" || negated == "-0") return "0";
  return negated.front() == '-' ? negated.substr(1) : "-" + negated;
}

}  // namespace doeblin
