// SPDX-License-Identifier: Apache-2.0
#include "report/svg.hpp"

#include <fmt/format.h>

#include "report/html.hpp"

namespace doeblin::report {

std::string svg_path(std::string_view style, const Path& path, bool is_closed) {
  std::string data;
  for (const Place& place : path) data += fmt::format("{}{:.1f},{:.1f}", data.empty() ? "M" : "L", place.x, place.y);
  return fmt::format("<path class=\"{}\" d=\"{}{}\"/>\n", style, data, is_closed ? "Z" : "");
}

std::string svg_line(std::string_view style, const Place& from, const Place& to) {
  return fmt::format("<line class=\"{}\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", style, from.x,
                     from.y, to.x, to.y);
}

std::string svg_text(const Place& place, std::string_view style, std::string_view anchor, std::string_view text) {
  return text_element("text", text,
                      fmt::format("class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"", style, place.x, place.y,
                                  anchor)) +
         "\n";
}

}  // namespace doeblin::report
