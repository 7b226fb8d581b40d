// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/line_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/rounding.hpp"
#include "doeblin/core/whole.hpp"
#include "report/axis.hpp"
#include "report/html.hpp"
#include "report/plot_geometry.hpp"
#include "report/svg.hpp"

namespace doeblin::report {
namespace {

constexpr double kWidth = 760.0;
constexpr double kPanel = 320.0;  // height of one panel
constexpr double kLeft = 84.0;
constexpr double kRight = 24.0;
constexpr double kTop = 44.0;
constexpr double kBottom = 52.0;
constexpr double kInner = kWidth - kLeft - kRight;
constexpr double kHeight = kPanel - kTop - kBottom;
// Colours that the colour-blind can tell apart, and dashes for those who print without any.
constexpr const char* kClasses[] = {"first", "second", "third"};

constexpr const char* kStyle = R"css(<style>
  text { font-family: system-ui, sans-serif; fill: #222; }
  .title { font-size: 16px; font-weight: 600; } .tick { font-size: 12px; }
  .grid { stroke: #8884; stroke-width: 1; }
  .curve { fill: none; stroke-width: 2; }
  .first { stroke: #0072b2; } .second { stroke: #b34700; stroke-dasharray: 7 4; }
  .third { stroke: #00705a; stroke-dasharray: 2 3; }
  .page { fill: #fff; }
  @media (prefers-color-scheme: dark) {
    text { fill: #ddd; } .page { fill: #13161b; }
    .first { stroke: #56b4e9; } .second { stroke: #e69f00; } .third { stroke: #3fc9a3; }
  }
</style>
)css";

Axis y_axis(const ChartPanel& panel) {
  std::vector<double> values;
  for (const ChartLine& line : panel.lines)
    for (const auto& [x, y] : line.points) values.push_back(y);
  return Axis::for_values(values);
}

Axis x_axis(const ChartPanel& panel) {
  double first = rounding::kInfinity;
  double last = -rounding::kInfinity;
  for (const ChartLine& line : panel.lines)
    for (const auto& [x, y] : line.points) first = std::min(first, x), last = std::max(last, x);
  if (first > last) return Axis::linear(0.0, 1.0);
  // A single value stands in the middle.
  return last > first ? Axis::linear(first, last) : Axis::linear(first - 1.0, first + 1.0);
}

// One panel, `top` below the beginning of the page.
class Panel {
 public:
  Panel(const ChartPanel& panel, double top) : panel_(panel), top_(top), x_(x_axis(panel)), y_(y_axis(panel)) {}

  [[nodiscard]] std::string svg() const {
    std::string text = svg_text({kLeft, top_ + 24.0}, "title", "start", panel_.title) + grid();
    for (std::size_t k = 0; k < panel_.lines.size(); ++k) text += curve(k);
    return text;
  }

 private:
  [[nodiscard]] Place place_of(double x, double y) const {
    return {kLeft + kInner * x_.place(x), top_ + kTop + kHeight * (1.0 - y_.place(y))};
  }

  [[nodiscard]] std::string grid() const {
    std::string text;
    for (const Tick& tick : y_.ticks(8)) {
      const double y = place_of(x_.low(), tick.value).y;
      text += svg_line("grid", {kLeft, y}, {kWidth - kRight, y}) +
              svg_text({kLeft - 8.0, y + 4.0}, "tick", "end", tick.label);
    }
    for (const Tick& tick : x_.ticks(8))
      if (is_whole(tick.value))
        text +=
            svg_text({place_of(tick.value, y_.low()).x, top_ + kPanel - kBottom + 20.0}, "tick", "middle", tick.label);
    return text + svg_text({kLeft + kInner / 2.0, top_ + kPanel - 10.0}, "tick", "middle", panel_.x_label);
  }

  [[nodiscard]] std::string curve(std::size_t k) const {
    const std::string style = std::string("curve ") + kClasses[k % std::size(kClasses)];
    std::vector<PlotPoint> points;
    points.reserve(panel_.lines[k].points.size());
    for (const auto& [x, y] : panel_.lines[k].points) points.push_back({x, Bracket(y)});
    Path path;
    for (const PlotPoint& point : thinned(points, kMostPoints)) path.push_back(place_of(point.x, point.y.upper()));
    std::string drawn = svg_path(style, path);
    if (panel_.lines.size() < 2) return drawn;
    const Place legend{kWidth - kRight - 250.0, top_ + kTop + 14.0 + 18.0 * static_cast<double>(k)};
    return drawn + svg_path(style, {legend, {legend.x + 28.0, legend.y}}) +
           svg_text({legend.x + 36.0, legend.y + 4.0}, "tick", "start", panel_.lines[k].name);
  }

  const ChartPanel& panel_;
  double top_;
  Axis x_;
  Axis y_;
};

}  // namespace

std::string svg_chart(const std::string& title, const std::vector<ChartPanel>& panels) {
  const double height = kPanel * static_cast<double>(panels.size());
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' role='img' "
      "aria-labelledby='title'>\n<title id='title'>{2}</title>\n{3}<rect class='page' width='{0}' height='{1}'/>\n",
      kWidth, height, escaped(title), kStyle);
  for (std::size_t i = 0; i < panels.size(); ++i) text += Panel(panels[i], kPanel * static_cast<double>(i)).svg();
  return text + "</svg>\n";
}

}  // namespace doeblin::report
