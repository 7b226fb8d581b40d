// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace doeblin::training {

/// Whether the pattern is more than a name.
[[nodiscard]] inline bool has_wildcard(std::string_view pattern) {
  return pattern.find_first_of("*?") != std::string_view::npos;
}

/// Whether all of the text matches; * stands for any text, ? for any character.
///
/// Cost     O(pattern * text): only the last * is ever tried again, as an earlier one that took more could not help
[[nodiscard]] inline bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0;
  std::size_t star = std::string_view::npos, taken = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      taken = t;
    } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++taken;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

}  // namespace doeblin::training
