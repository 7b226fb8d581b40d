// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "commands/people_report.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/report/line_chart.hpp"

namespace doeblin::commands {
namespace {

// More points than pixels show nothing more.
constexpr std::size_t kMostPoints = 1500;

// The largest value of each group of neighbours, so that no peak is lost.
report::ChartLine line_of(const PeopleAnswer& answer) {
  report::ChartLine line;
  const std::size_t stride = (answer.values.size() + kMostPoints - 1) / kMostPoints;
  for (std::size_t i = 0; i < answer.values.size(); i += stride) {
    const std::size_t end = std::min(answer.values.size(), i + stride);
    double largest = 0.0;
    for (std::size_t j = i; j < end; ++j) largest = std::max(largest, answer.values[j].value.upper());
    for (const std::size_t record : {answer.values[i].first, answer.values[end - 1].last})
      line.points.emplace_back(static_cast<double>(record), largest);
  }
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
