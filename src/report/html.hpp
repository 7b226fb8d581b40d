// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

/// HTML from text that nobody vouches for.
namespace doeblin::report {

/// The text between tags or in a quoted attribute: markup is escaped. What is not UTF-8, and characters that are not to
/// be seen or that change the direction of what follows, become U+FFFD, so that a page says what it shows.
[[nodiscard]] std::string escaped(std::string_view text);

/// <tag>content</tag>, where the content is HTML; `attributes` are written as they are.
[[nodiscard]] std::string element(std::string_view tag, std::string_view content, std::string_view attributes = {});

/// An element that contains this text.
[[nodiscard]] std::string text_element(std::string_view tag, std::string_view text, std::string_view attributes = {});

}  // namespace doeblin::report
