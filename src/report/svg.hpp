// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

/// What drawings are made of; `style` is a class of the style sheet.
namespace doeblin::report {

struct Place {
  double x = 0.0;
  double y = 0.0;
};

using Path = std::vector<Place>;

[[nodiscard]] std::string svg_path(std::string_view style, const Path& path, bool is_closed = false);
[[nodiscard]] std::string svg_line(std::string_view style, const Place& from, const Place& to);
/// `anchor`: which part of the text is there, "start", "middle" or "end".
[[nodiscard]] std::string svg_text(const Place& place, std::string_view style, std::string_view anchor,
                                   std::string_view text);

}  // namespace doeblin::report
