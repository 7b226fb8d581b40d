// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "commands/people_report.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/report/line_chart.hpp"

namespace doeblin::commands {
namespace {

report::ChartLine line_of(const PeopleAnswer& answer) {
  report::ChartLine line;
  for (const auto& group : answer.values)
    for (const std::size_t record : {group.first, group.last})
      line.points.emplace_back(static_cast<double>(record), group.value.upper());
  return line;
}

}  // namespace

std::string people_svg(const PeopleReport& report) {
  std::vector<report::ChartPanel> panels;
  for (const PeopleAnswer& answer : report.answers) {
    const auto [value, argument] = names(answer.question.quantity);
    panels.push_back(
        {fmt::format("{} of every record at {} = {}", value, argument, format_exact(answer.question.argument)),
         "record, in the order of use",
         {line_of(answer)}});
  }
  return report::svg_chart(fmt::format("Guarantee of each of {} records", report.count), panels);
}

}  // namespace doeblin::commands
