// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/format.hpp"

#include <cmath>
#include <cstdlib>

#include <fmt/format.h>

namespace doeblin {

std::string format_exact(double x) { return fmt::format("{}", x); }

std::string format_up(double x, int digits) {
  if (!std::isfinite(x)) return fmt::format("{}", x);
  // Rounding to nearest may land below x by at most half a unit of the last digit; a nudge upward of at most one
  // unit then reaches the next text. Doubling the nudge ends, because 17 digits reproduce x itself.
  std::string text = fmt::format("{:.{}g}", x, digits);
  double nudge = std::fabs(x) * 0.25 * std::pow(10.0, 1 - digits);
  for (int tries = 0; tries < 4 && std::strtod(text.c_str(), nullptr) < x; ++tries, nudge *= 2.0)
    text = fmt::format("{:.{}g}", x + nudge, digits);
  return std::strtod(text.c_str(), nullptr) < x ? format_exact(x) : text;
}

std::string format_down(double x, int digits) {
  const std::string negated = format_up(-x, digits);
  if (negated == "0" || negated == "-0") return "0";
  return negated.front() == '-' ? negated.substr(1) : "-" + negated;
}

int telling_digits(const Bracket& x, int least) {
  const double relative = x.relative_width();
  if (!(relative > 0.0) || !std::isfinite(relative)) return least;
  const int digits = 1 + static_cast<int>(std::ceil(-std::log10(relative)));
  return std::min(17, std::max(least, digits));
}

}  // namespace doeblin
