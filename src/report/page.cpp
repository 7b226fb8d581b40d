// SPDX-License-Identifier: Apache-2.0
#include "report/page.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/style.hpp"

namespace doeblin::report {
namespace {

// Nothing may be loaded or run, whatever got into the page.
constexpr const char* kPolicy =
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

std::string head_of(const Page& page) {
  return fmt::format(
      "<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<meta name=\"generator\" content=\"doeblin {}\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n"
      "{}\n<style>\n{}</style>\n</head>\n",
      kPolicy, escaped(page.software_version), text_element("title", page.title), style_sheet());
}

std::string contents_of(const std::vector<Section>& sections) {
  std::string items;
  for (const Section& section : sections)
    items += element("li", text_element("a", section.heading, fmt::format("href=\"#{}\"", section.id))) + "\n";
  return element("nav", element("ul", "\n" + items), "class=\"contents\" aria-label=\"Contents\"") + "\n";
}

std::string section_html(const Section& section) {
  return fmt::format("<section id=\"{0}\" aria-labelledby=\"{0}-heading\">\n{1}\n{2}</section>\n", section.id,
                     text_element("h2", section.heading, fmt::format("id=\"{}-heading\"", section.id)),
                     section.content);
}

std::string header_of(const Page& page) {
  std::string html = text_element("p", page.kind, "class=\"kind\"") + "\n" + text_element("h1", page.title) + "\n";
  if (!page.banner.empty())
    html +=
        element("p", element("strong", "VOID") + " " + escaped(page.banner), "class=\"void\" role=\"alert\"") + "\n";
  return element("header", "\n" + html) + "\n";
}

bool is_marked(const Table& table, std::size_t row) {
  return std::find(table.marked_rows.begin(), table.marked_rows.end(), row) != table.marked_rows.end();
}

std::string row_of(const Table& table, std::size_t row) {
  std::string cells;
  for (std::size_t i = 0; i < table.rows[row].size(); ++i) {
    const bool is_number = i < table.is_number.size() && table.is_number[i];
    const std::string style = is_number ? "class=\"number\"" : "";
    cells += i == 0 ? element("th", table.rows[row][i], "scope=\"row\"" + (is_number ? " " + style : ""))
                    : element("td", table.rows[row][i], style);
  }
  return element("tr", cells, is_marked(table, row) ? "class=\"best\"" : "") + "\n";
}

}  // namespace

std::string html_of(const Page& page) {
  std::vector<Section> sections;
  for (const Section& section : page.sections)
    if (!section.content.empty()) sections.push_back(section);
  std::string main = header_of(page) + contents_of(sections);
  for (const Section& section : sections) main += section_html(section);
  return "<!DOCTYPE html>\n<html lang=\"en\">\n" + head_of(page) +
         "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<main id=\"main\">\n" + main +
         "</main>\n<footer>\n" +
         paragraph("Made by doeblin " + page.software_version +
                   ". This page is complete in itself: it loads nothing and runs nothing.") +
         "\n</footer>\n</body>\n</html>\n";
}

std::string html_of(const Table& table) {
  std::string headings;
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    headings += text_element(
        "th", table.headings[i],
        i < table.is_number.size() && table.is_number[i] ? "scope=\"col\" class=\"number\"" : "scope=\"col\"");
  std::string rows;
  for (std::size_t row = 0; row < table.rows.size(); ++row) rows += row_of(table, row);
  // Whoever has no mouse scrolls it too: it can be focused.
  return element(
             "div",
             element("table", "\n" + text_element("caption", table.label) + "\n" +
                                  element("thead", element("tr", headings)) + "\n" + element("tbody", "\n" + rows)),
             fmt::format("class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{}\"", escaped(table.label))) +
         "\n";
}

std::string folded(const std::string& summary, const std::string& content) {
  return element("details", "\n" + text_element("summary", summary) + "\n" + content) + "\n";
}

std::string paragraph(const std::string& text, const std::string& attributes) {
  return text_element("p", text, attributes) + "\n";
}

std::string code(const std::string& text) { return text_element("code", text); }

}  // namespace doeblin::report
