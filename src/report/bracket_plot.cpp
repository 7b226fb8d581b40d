// SPDX-License-Identifier: Apache-2.0
#include "report/bracket_plot.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "doeblin/core/whole.hpp"
#include "report/html.hpp"
#include "report/plot_geometry.hpp"
#include "report/svg.hpp"

namespace doeblin::report {
namespace {

// Where there are this few points, each of them is shown.
constexpr std::size_t kFewPoints = 25;

std::string y_axis(const BracketPlot& plot, const PlotArea& area, const PlotSize& size) {
  std::string svg;
  for (const Tick& tick : plot.y.ticks(size.y_ticks)) {
    const double y = place_of(plot, area, plot.x.low(), tick.value).y;
    svg += svg_line("grid", {area.left, y}, {area.right, y}) +
           svg_text({area.left - 8.0, y + 0.35 * size.font}, "tick", "end", tick.label);
  }
  // Along the axis, read from below.
  const double middle = 0.5 * (area.top + area.bottom);
  return svg +
         text_element("text", plot.y_label,
                      fmt::format("class=\"axis\" transform=\"translate({:.1f},{:.1f}) rotate(-90)\" "
                                  "text-anchor=\"middle\"",
                                  size.font, middle)) +
         "\n";
}

std::string x_axis(const BracketPlot& plot, const PlotArea& area, const PlotSize& size) {
  std::string svg;
  for (const Tick& tick : plot.x.ticks(size.x_ticks)) {
    if (plot.has_whole_x && !is_whole(tick.value)) continue;
    const double x = place_of(plot, area, tick.value, plot.y.low()).x;
    svg +=
        svg_line("grid", {x, area.bottom}, {x, area.bottom + 5.0}) +
        svg_text({std::min(x, size.width - 0.5 * width_of(tick.label, size.font)), area.bottom + 5.0 + 1.1 * size.font},
                 "tick", "middle", tick.label);
  }
  return svg + svg_line("frame", {area.left, area.bottom}, {area.right, area.bottom}) +
         svg_text({0.5 * (area.left + area.right), size.height - 0.6 * size.font}, "axis", "middle", plot.x_label);
}

std::string mark_element(const Place& at, MarkShape shape) {
  const char* data = shape == MarkShape::kDiamond ? "m0,-7 l7,7 l-7,7 l-7,-7 z"
                     : shape == MarkShape::kUp    ? "m0,-7 l7,12 h-14 z"
                                                  : "m0,7 l7,-12 h-14 z";
  return fmt::format("<path class=\"mark\" d=\"M{:.1f},{:.1f} {}\"/>\n", at.x, at.y, data);
}

std::string dots(const PlotGeometry& geometry, const BracketPlot& plot) {
  if (plot.points.size() > kFewPoints) return {};
  std::string svg;
  for (const PlotPoint& point : plot.points)
    if (plot.y.unlimited_place(point.y.upper()) >= 0.0) {
      const Place at = place_of(plot, geometry.area, point.x, point.y.upper());
      svg += fmt::format("<circle class=\"dot\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\"/>\n", at.x, at.y);
    }
  return svg;
}

std::string curves(const PlotGeometry& geometry, const BracketPlot& plot) {
  std::string svg;
  if (!geometry.band.empty()) svg += svg_path("band", geometry.band, true);
  for (const Path& piece : geometry.upper) svg += svg_path("upper", piece);
  for (const Path& piece : geometry.lower) svg += svg_path("lower", piece);
  return svg + dots(geometry, plot);
}

std::string drawing(const BracketPlot& plot, const PlotSize& size) {
  const PlotGeometry geometry = geometry_of(plot, size);
  const std::string id = plot.id + "-" + size.name;
  std::string svg = text_element("title", plot.title, fmt::format("id=\"{}-title\"", id)) + "\n" +
                    text_element("desc", plot.description, fmt::format("id=\"{}-desc\"", id)) + "\n" +
                    y_axis(plot, geometry.area, size) + x_axis(plot, geometry.area, size) + curves(geometry, plot);
  if (plot.level) {
    const double y = place_of(plot, geometry.area, plot.x.low(), plot.level->y).y;
    svg += svg_line("level", {geometry.area.left, y}, {geometry.area.right, y}) + "\n";
  }
  for (std::size_t i = 0; i < plot.marks.size(); ++i) svg += mark_element(geometry.marks[i], plot.marks[i].shape);
  for (const PlacedLabel& label : geometry.labels) svg += svg_text(label.start, "note", "start", label.text);
  return fmt::format(
      "<svg class=\"{0}\" viewBox=\"0 0 {1} {2}\" font-size=\"{3}\" role=\"img\" "
      "aria-labelledby=\"{4}-title\" aria-describedby=\"{4}-desc\">\n{5}</svg>\n",
      size.name, size.width, size.height, size.font, id, svg);
}

std::string swatch(std::string_view inside) {
  return element("svg", inside, "viewBox=\"0 0 36 14\" width=\"36\" height=\"14\" aria-hidden=\"true\"");
}

std::string legend_item(std::string_view inside, std::string_view text) {
  return element("li", swatch(inside) + escaped(text)) + "\n";
}

std::string legend(const BracketPlot& plot) {
  constexpr const char* kUpper = R"(<path class="upper" d="M1,7h34"/>)";
  constexpr const char* kLower = R"(<path class="lower" d="M1,7h34"/>)";
  constexpr const char* kBand = R"(<rect class="band" x="1" y="1" width="34" height="12"/>)";
  std::string items;
  if (geometry_of(plot, kWide).is_one_line) {
    items += legend_item(kUpper, "the guarantee; the lower end of the bracket is closer than the line is wide");
  } else {
    items += legend_item(kUpper, "upper end: the guarantee") +
             legend_item(kLower, "lower end: no proof can give less") +
             legend_item(kBand, "in between: where the truth lies");
  }
  std::vector<MarkShape> shown;
  for (const PlotMark& mark : plot.marks) {
    if (std::find(shown.begin(), shown.end(), mark.shape) != shown.end()) continue;
    shown.push_back(mark.shape);
    items += legend_item(mark_element({18.0, 7.0}, mark.shape), mark.meaning);
  }
  if (plot.level) items += legend_item(R"(<path class="level" d="M1,7h34"/>)", plot.level->meaning);
  return element("ul", items, "class=\"legend\"") + "\n";
}

}  // namespace

std::string svg_of(const BracketPlot& plot) { return drawing(plot, kWide) + drawing(plot, kNarrow) + legend(plot); }

}  // namespace doeblin::report
