// SPDX-License-Identifier: Apache-2.0
#include "report/plot_sections.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/page.hpp"
#include "report/people_chart.hpp"
#include "report/profile_chart.hpp"

namespace doeblin::report {
namespace {

using certificate::Certificate;
using certificate::PeopleClaim;

// Longer tables are not read.
constexpr std::size_t kMostRows = 200;

// Every so many of `count` rows, the first and the last among them.
std::vector<std::size_t> shown_rows(std::size_t count) {
  std::vector<std::size_t> rows;
  const std::size_t stride = (count + kMostRows - 1) / kMostRows;
  for (std::size_t i = 0; i < count; i += stride) rows.push_back(i);
  if (!rows.empty() && rows.back() + 1 < count) rows.push_back(count - 1);
  return rows;
}

std::string caption_of(const char* what, std::size_t shown, std::size_t count) {
  if (shown == count) return what;
  return fmt::format("{} ({} of {} points)", what, count_text(shown), count_text(count));
}

std::string figure(const std::string& drawing, const std::string& caption) {
  return element("figure", "\n" + drawing + text_element("figcaption", caption)) + "\n";
}

std::string warning(const Certificate& certificate) {
  return certificate.void_because.empty() ? "" : "Void, not a guarantee. ";
}

std::string profile_table(const Certificate& certificate) {
  const auto& curve = certificate.curve;
  const std::vector<std::size_t> rows = shown_rows(curve.size());
  Table table{caption_of("Delta at each epsilon, ends rounded outward", rows.size(), curve.size()),
              {"epsilon", "delta at least", "delta at most"},
              {},
              {true, true, true}};
  for (const std::size_t i : rows)
    table.rows.push_back(
        {exact_text(curve[i].epsilon), lower_text(curve[i].delta.lower(), 6), upper_text(curve[i].delta.upper(), 6)});
  return html_of(table);
}

std::string people_numbers(const PeopleClaim& people) {
  const auto row = [](const char* name, const std::string& record, const std::string& lower, double upper) {
    return std::vector<std::string>{name, record, lower, upper_text(upper, 6)};
  };
  return html_of(Table{fmt::format("{} at {} = {}", value_name(people.is_epsilon), argument_name(people.is_epsilon),
                                   exact_text(people.at)),
                       {"who", "record", "at least", "at most"},
                       {row("worst protected", count_text(people.worst.record),
                            lower_text(people.worst.value.lower(), 6), people.worst.value.upper()),
                        row("half of the records", "", "", people.median),
                        row("best protected", count_text(people.best.record), lower_text(people.best.value.lower(), 6),
                            people.best.value.upper())},
                       {false, true, true, true}});
}

std::string people_table(const PeopleClaim& people) {
  const std::vector<std::size_t> rows = shown_rows(people.points.size());
  Table table{caption_of("Single records", rows.size(), people.points.size()),
              {"record", "at least", "at most"},
              {},
              {true, true, true}};
  for (const std::size_t i : rows)
    table.rows.push_back({count_text(people.points[i].record), lower_text(people.points[i].value.lower(), 6),
                          upper_text(people.points[i].value.upper(), 6)});
  return html_of(table);
}

}  // namespace

std::string profile_section(const Certificate& certificate) {
  const std::string drawing = profile_chart(certificate.curve, certificate.claims);
  if (drawing.empty()) return {};
  return paragraph(
             "Epsilon and delta belong together: the larger the factor that is allowed (epsilon), the less has to be "
             "added to it (delta). The points of the solid line are bounds that hold all at once.") +
         figure(drawing, warning(certificate) + fmt::format("Delta, on a logarithmic axis, against epsilon: computed "
                                                            "at {} points, and joined to guide the eye.",
                                                            count_text(certificate.curve.size()))) +
         folded("The numbers of this plot", profile_table(certificate));
}

std::string people_section(const Certificate& certificate) {
  if (!certificate.people) return {};
  const PeopleClaim& people = *certificate.people;
  std::string html =
      paragraph(fmt::format("Each of the {} records is bounded on its own, by when it was used and how much noise came "
                            "after it; the bound of the worst protected one holds for all.",
                            count_text(people.count))) +
      figure(people_chart(people), fmt::format("{}{} of each record, at {} = {}.", warning(certificate),
                                               people.is_epsilon ? "Epsilon" : "Delta",
                                               argument_name(people.is_epsilon), exact_text(people.at))) +
      people_numbers(people);
  if (!people.points.empty()) html += folded("The numbers of this plot", people_table(people));
  return html;
}

}  // namespace doeblin::report
