// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/core/bracket.hpp"

namespace doeblin {

/// x with `digits` significant digits, never below x: reading the text back gives a double >= x.
[[nodiscard]] std::string format_up(double x, int digits = 6);

/// x with `digits` significant digits, never above x.
[[nodiscard]] std::string format_down(double x, int digits = 6);

/// The shortest text that reads back as exactly x.
[[nodiscard]] std::string format_exact(double x);

/// How many digits show where the ends of x differ: at least `least`, at most 17.
[[nodiscard]] int telling_digits(const Bracket& x, int least = 6);

}  // namespace doeblin
