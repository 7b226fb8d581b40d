// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text from files, on its way in and into messages.
namespace doeblin {

/// Without blanks, tabs and carriage returns at either end.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// At most 40 characters, everything but plain ASCII shown as '?'.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace doeblin
