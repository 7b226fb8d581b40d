// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/line_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/rounding.hpp"
#include "doeblin/core/whole.hpp"
#include "report/axis.hpp"
#include "report/html.hpp"

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
    std::string text =
        fmt::format("<text class='title' x='{}' y='{}'>{}</text>\n", kLeft, top_ + 24.0, escaped(panel_.title)) +
        grid();
    for (std::size_t k = 0; k < panel_.lines.size(); ++k) text += curve(k);
    return text;
  }

 private:
  [[nodiscard]] double x_of(double x) const { return kLeft + kInner * x_.place(x); }
  [[nodiscard]] double y_of(double y) const { return top_ + kTop + kHeight * (1.0 - y_.place(y)); }

  [[nodiscard]] std::string grid() const {
    std::string text;
    for (const Tick& tick : y_.ticks(8))
      text += fmt::format(
          "<line class='grid' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>"
          "<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='end'>{}</text>\n",
          kLeft, kWidth - kRight, y_of(tick.value), y_of(tick.value), kLeft - 8.0, y_of(tick.value) + 4.0, tick.label);
    for (const Tick& tick : x_.ticks(8))
      if (is_whole(tick.value))
        text += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n",
                            x_of(tick.value), top_ + kPanel - kBottom + 20.0, tick.label);
    return text + fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n",
                              kLeft + kInner / 2.0, top_ + kPanel - 10.0, escaped(panel_.x_label));
  }

  [[nodiscard]] std::string curve(std::size_t k) const {
    const char* style = kClasses[k % std::size(kClasses)];
    std::string path;
    for (const auto& [x, y] : panel_.lines[k].points)
      path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "M" : " L", x_of(x), y_of(y));
    std::string text = fmt::format("<path class='curve {}' d='{}'/>\n", style, path);
    if (panel_.lines.size() < 2) return text;
    const double y = top_ + kTop + 14.0 + 18.0 * static_cast<double>(k);
    return text + fmt::format(
                      "<path class='curve {}' d='M{:.1f},{:.1f} h28'/><text class='tick' x='{:.1f}' "
                      "y='{:.1f}'>{}</text>\n",
                      style, kWidth - kRight - 250.0, y, kWidth - kRight - 214.0, y + 4.0,
                      escaped(panel_.lines[k].name));
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
