// SPDX-License-Identifier: Apache-2.0
#include "report/people_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/bracket_plot.hpp"
#include "report/numbers.hpp"

namespace doeblin::report {
namespace {

using certificate::PeopleClaim;
using certificate::PersonPoint;

// The records that are shown, the worst and the best among them.
std::vector<PlotPoint> points_of(const PeopleClaim& people) {
  std::vector<PlotPoint> points;
  for (const PersonPoint& point : people.points) points.push_back({static_cast<double>(point.record), point.value});
  for (const PersonPoint& point : {people.worst, people.best})
    points.push_back({static_cast<double>(point.record), point.value});
  const auto before = [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; };
  std::stable_sort(points.begin(), points.end(), before);
  points.erase(
      std::unique(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x == b.x; }),
      points.end());
  return points;
}

PlotMark mark_of(const PersonPoint& point, const char* name, MarkShape shape) {
  return {static_cast<double>(point.record), point.value.upper(),
          fmt::format("{}: {}", name, upper_text(point.value.upper(), 4)), fmt::format("{} protected record", name),
          shape};
}

Axis value_axis(const std::vector<PlotPoint>& points, double median) {
  std::vector<double> values{median};
  for (const PlotPoint& point : points) values.push_back(point.y.upper());
  return Axis::for_values(values);
}

std::string description_of(const PeopleClaim& people) {
  const std::string_view value = value_name(people.is_epsilon);
  return fmt::format(
      "{0} records in the order of use. The worst protected, record {1}, has {2} at most {3}; half of the records have "
      "at most {4}; the best protected, record {5}, has at most {6}.",
      count_text(people.count), people.worst.record, value, upper_text(people.worst.value.upper()),
      upper_text(people.median), people.best.record, upper_text(people.best.value.upper()));
}

}  // namespace

std::string people_chart(const PeopleClaim& people) {
  const std::vector<PlotPoint> points = points_of(people);
  const std::string value(value_name(people.is_epsilon));
  const double first = std::min(1.0, points.front().x);
  const double last = std::max(static_cast<double>(people.count), points.back().x);
  const Axis y = value_axis(points, people.median);
  return svg_of(
      {.id = "people",
       .title = "Everybody's guarantee: " + value + " against the record's number",
       .description = description_of(people),
       .x_label = "record, in the order of use",
       .y_label = fmt::format("{}{}", value, people.is_epsilon ? " (nats)" : " (a probability)"),
       .x = Axis::linear(first, last > first ? last : first + 1.0),
       .y = y,
       .has_whole_x = true,
       .points = points,
       .marks = {mark_of(people.worst, "worst", MarkShape::kUp), mark_of(people.best, "best", MarkShape::kDown)},
       .level = PlotLevel{people.median, fmt::format("half: {}", upper_text(people.median, 4)),
                          "half of the records have no more"}});
}

}  // namespace doeblin::report
