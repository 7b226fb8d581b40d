// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin {

/// x with `digits` significant digits, never below x: reading the text back gives a double >= x.
[[nodiscard]] std::string format_up(double x, int digits = 6);

/// x with `digits` significant digits, never above x.
[[nodiscard]] std::string format_down(double x, int digits = 6);

/// The shortest text that reads back as exactly x.
[[nodiscard]] std::string format_exact(double x);

}  // namespace doeblin
