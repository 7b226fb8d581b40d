// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace doeblin::report {

/// A part of a page under a heading of its own; sections without content are left out.
struct Section {
  std::string id;  ///< for links; plain letters
  std::string heading;
  std::string content;  ///< HTML
};

struct Page {
  std::string title;
  std::string kind;    ///< above the title, what sort of document this is
  std::string banner;  ///< a warning above everything, text; empty if there is none
  std::vector<Section> sections;
  std::string software_version;
};

/// The whole file.
[[nodiscard]] std::string html_of(const Page& page);

/// A table that scrolls by itself where it is wider than the screen; the cells are HTML, the first column names the
/// row. `label` is what screen readers call it.
struct Table {
  std::string label;
  std::vector<std::string> headings;
  std::vector<std::vector<std::string>> rows;
  std::vector<bool> is_number;  ///< which columns are aligned to the right
  std::vector<std::size_t> marked_rows = {};
};

[[nodiscard]] std::string html_of(const Table& table);

/// What opens at a click, and is open on paper.
[[nodiscard]] std::string folded(const std::string& summary, const std::string& content);

/// <p>text</p>
[[nodiscard]] std::string paragraph(const std::string& text, const std::string& attributes = {});
[[nodiscard]] std::string code(const std::string& text);

}  // namespace doeblin::report
