// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace doeblin {

/// x with `digits` significant digits, never below x: reading the text back gives a double >= x.
[[nodiscard]] std::string format_up(double x, int digits = 6);

/// x with `digits` significant digits, never above x.
[[nodiscard]] std::string format_down(double x, int digits = 6);

/// The shortest text that reads back as exactly x.
[[nodiscard]] std::string format_exact(double x);

/// The double nearest to a decimal number, whatever the locale says about commas. Domain: such a text.
[[nodiscard]] double nearest_double(std::string_view decimal);

}  // namespace doeblin
