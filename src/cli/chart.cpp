// SPDX-License-Identifier: Apache-2.0
#include "cli/chart.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace doeblin::cli {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kWidth = 760.0;
constexpr double kPanel = 320.0;  // height of one panel
constexpr double kLeft = 84.0;
constexpr double kRight = 24.0;
constexpr double kTop = 44.0;
constexpr double kBottom = 52.0;
// Colours that the colour-blind can tell apart, and dashes for those who print without any.
constexpr const char* kClasses[] = {"first", "second", "third"};

// 1, 2 or 5 times a power of ten.
double nice_step(double range, int ticks) {
  const double raw = range / ticks;
  const double power = std::pow(10.0, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw) return factor * power;
  return 10.0 * power;
}

// Where values go on the page: linear, or by powers of ten where they span more than three of them.
class Scale {
 public:
  explicit Scale(const std::vector<ChartLine>& lines) {
    largest_ = 0.0;
    double smallest = kInfinity;
    for (const ChartLine& line : lines)
      for (const auto& [x, value] : line.points) {
        if (!std::isfinite(value)) continue;
        largest_ = std::max(largest_, value);
        if (value > 0.0) smallest = std::min(smallest, value);
      }
    if (largest_ == 0.0) largest_ = 1.0;
    is_logarithmic_ = smallest < 1e-3 * largest_;
    // Deltas fall below anything that matters; the axis ends fifteen powers down.
    low_exponent_ = std::max(std::floor(std::log10(smallest)), std::ceil(std::log10(largest_)) - 15.0);
    high_exponent_ = std::ceil(std::log10(largest_) - 1e-9);
    if (high_exponent_ <= low_exponent_) high_exponent_ = low_exponent_ + 1.0;
  }

  /// 0 at the bottom, 1 at the top.
  [[nodiscard]] double place(double value) const {
    if (!std::isfinite(value)) return 1.0;
    if (!is_logarithmic_) return value / (1.05 * largest_);
    if (value <= 0.0) return 0.0;
    return std::clamp((std::log10(value) - low_exponent_) / (high_exponent_ - low_exponent_), 0.0, 1.0);
  }

  [[nodiscard]] std::vector<double> ticks() const {
    std::vector<double> all;
    if (is_logarithmic_) {
      const double step = std::max(1.0, std::ceil((high_exponent_ - low_exponent_) / 8.0));
      for (double e = low_exponent_; e <= high_exponent_; e += step) all.push_back(std::pow(10.0, e));
    } else {
      const double step = nice_step(largest_, 5);
      for (double v = 0.0; v <= 1.05 * largest_; v += step) all.push_back(v);
    }
    return all;
  }

 private:
  double largest_;
  bool is_logarithmic_;
  double low_exponent_;
  double high_exponent_;
};

// What a chart may hold of a name: no markup.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '<')
      safe += "&lt;";
    else if (c == '>')
      safe += "&gt;";
    else if (c == '&')
      safe += "&amp;";
    else if (c == '\'')
      safe += "&#39;";
    else
      safe += c;
  }
  return safe;
}

// Tick marks of the x axis: 1, 2 or 5 times a power of ten, and the first value.
std::vector<double> x_ticks(double first, double last) {
  if (last <= first) return {first};
  std::vector<double> all{first};
  const double step = std::max(1.0, nice_step(last, 6));
  for (double x = step; x <= last; x += step)
    if (x > first + 0.3 * step) all.push_back(x);
  return all;
}

std::string panel_text(const ChartPanel& panel, double top) {
  const double inner = kWidth - kLeft - kRight;
  const double height = kPanel - kTop - kBottom;
  const Scale scale(panel.lines);
  double first = kInfinity;
  double last = -kInfinity;
  for (const ChartLine& line : panel.lines)
    for (const auto& [x, y] : line.points) first = std::min(first, x), last = std::max(last, x);
  const auto x_of = [&](double x) { return kLeft + inner * (last > first ? (x - first) / (last - first) : 0.5); };
  const auto y_of = [&](double v) { return top + kTop + height * (1.0 - scale.place(v)); };
  std::string text =
      fmt::format("<text class='title' x='{}' y='{}'>{}</text>\n", kLeft, top + 24.0, escaped(panel.title));
  for (const double tick : scale.ticks())
    text += fmt::format(
        "<line class='grid' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>"
        "<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='end'>{:.3g}</text>\n",
        kLeft, kWidth - kRight, y_of(tick), y_of(tick), kLeft - 8.0, y_of(tick) + 4.0, tick);
  for (const double tick : x_ticks(first, last))
    text += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:.0f}</text>\n", x_of(tick),
                        top + kPanel - kBottom + 20.0, tick);
  text += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{}</text>\n", kLeft + inner / 2.0,
                      top + kPanel - 10.0, escaped(panel.x_label));
  for (std::size_t k = 0; k < panel.lines.size(); ++k) {
    const char* style = kClasses[k % std::size(kClasses)];
    std::string path;
    for (const auto& [x, y] : panel.lines[k].points)
      path += fmt::format("{}{:.2f},{:.2f}", path.empty() ? "M" : " L", x_of(x), y_of(y));
    text += fmt::format("<path class='curve {}' d='{}'/>\n", style, path);
    if (panel.lines.size() < 2) continue;
    const double y = top + kTop + 14.0 + 18.0 * static_cast<double>(k);
    text += fmt::format(
        "<path class='curve {0}' d='M{1:.1f},{2:.1f} h28'/><text class='tick' x='{3:.1f}' y='{4:.1f}'>{5}</text>\n",
        style, kWidth - kRight - 250.0, y, kWidth - kRight - 214.0, y + 4.0, escaped(panel.lines[k].name));
  }
  return text;
}

}  // namespace

std::string svg_chart(const std::string& title, const std::vector<ChartPanel>& panels) {
  const double height = kPanel * static_cast<double>(panels.size());
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' role='img' "
      "aria-labelledby='title'>\n<title id='title'>{2}</title>\n"
      "<style>\n"
      "  text {{ font-family: system-ui, sans-serif; fill: #222; }}\n"
      "  .title {{ font-size: 16px; font-weight: 600; }} .tick {{ font-size: 12px; }}\n"
      "  .grid {{ stroke: #8884; stroke-width: 1; }}\n"
      "  .curve {{ fill: none; stroke-width: 2; }}\n"
      "  .first {{ stroke: #0b62a4; }} .second {{ stroke: #c4640b; stroke-dasharray: 7 4; }}\n"
      "  .third {{ stroke: #777; stroke-dasharray: 2 3; }}\n"
      "  .page {{ fill: #fff; }}\n"
      "  @media (prefers-color-scheme: dark) {{ text {{ fill: #ddd; }} .page {{ fill: #16181c; }} .first {{ stroke: "
      "#6cb6ff; }} .second {{ stroke: #f0a050; }} .third {{ stroke: #aaa; }} }}\n"
      "</style>\n<rect class='page' width='{0}' height='{1}'/>\n",
      kWidth, height, escaped(title));
  for (std::size_t i = 0; i < panels.size(); ++i) text += panel_text(panels[i], kPanel * static_cast<double>(i));
  return text + "</svg>\n";
}

}  // namespace doeblin::cli
