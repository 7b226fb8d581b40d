// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// Text from files, on its way in and into messages.
namespace doeblin {

/// Without blanks, tabs and carriage returns at either end.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// At most `limit` characters, everything but plain ASCII shown as '?'.
[[nodiscard]] std::string printable(std::string_view text, std::size_t limit = 40);

/// The same for paths, of which one wants to see the end.
[[nodiscard]] inline std::string printable_path(std::string_view path) { return printable(path, 4096); }

}  // namespace doeblin
