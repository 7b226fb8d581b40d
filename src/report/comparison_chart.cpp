// SPDX-License-Identifier: Apache-2.0
#include "report/comparison_chart.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "report/axis.hpp"
#include "report/comparison_section.hpp"
#include "report/html.hpp"
#include "report/numbers.hpp"
#include "report/plot_geometry.hpp"

namespace doeblin::report {
namespace {

// More lines than that are for the table.
constexpr std::size_t kMostLines = 20;

struct ChartSize {
  const char* name;
  double width;
  double font;
  double left;   // room for names beside their lines; else they stand above
  double right;  // room for numbers
  double row;
  int ticks;
};

constexpr ChartSize kWideChart{"wide", 800.0, 13.0, 170.0, 80.0, 28.0, 8};
constexpr ChartSize kNarrowChart{"narrow", 340.0, 12.0, 8.0, 70.0, 40.0, 4};
constexpr double kTopMargin = 6.0;

// Those that apply, as many as fit.
std::vector<std::size_t> shown_analyses(const Comparison& comparison) {
  std::vector<std::size_t> shown;
  for (std::size_t i = 0; i < comparison.analyses.size() && shown.size() < kMostLines; ++i)
    if (comparison.analyses[i].answer) shown.push_back(i);
  return shown;
}

Axis axis_of(const Comparison& comparison, const std::vector<std::size_t>& shown) {
  std::vector<double> uppers;
  uppers.reserve(shown.size());
  for (const std::size_t i : shown) uppers.push_back(comparison.analyses[i].answer->value.upper());
  return Axis::for_values(uppers);
}

std::string text_at(double x, double y, const char* style, const char* anchor, std::string_view text) {
  return text_element("text", text,
                      fmt::format("class=\"{}\" x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\"", style, x, y, anchor)) +
         "\n";
}

class Drawing {
 public:
  Drawing(const Comparison& comparison, const ChartSize& size)
      : comparison_(comparison), size_(size), shown_(shown_analyses(comparison)), axis_(axis_of(comparison, shown_)) {}

  [[nodiscard]] std::string svg() const {
    const std::string id = std::string("comparison-") + size_.name;
    std::string inside =
        text_element("title", "Bounds of the analyses side by side", fmt::format("id=\"{}-title\"", id)) +
        text_element("desc", description(), fmt::format("id=\"{}-desc\"", id)) + "\n" + ticks();
    for (std::size_t row = 0; row < shown_.size(); ++row) inside += line(row);
    return fmt::format(
        "<svg class=\"{0}\" viewBox=\"0 0 {1} {2}\" font-size=\"{3}\" role=\"img\" aria-labelledby=\"{4}-title\" "
        "aria-describedby=\"{4}-desc\">\n{5}</svg>\n",
        size_.name, size_.width, bottom() + 3.9 * size_.font, size_.font, id, inside);
  }

 private:
  [[nodiscard]] double bottom() const { return kTopMargin + size_.row * static_cast<double>(shown_.size()); }
  [[nodiscard]] double x_of(double value) const {
    return size_.left + axis_.place(value) * (size_.width - size_.left - size_.right);
  }

  [[nodiscard]] std::string description() const {
    const ComparedAnalysis& best = comparison_.analyses[comparison_.best()];
    return fmt::format(
        "The upper end of {} by each of {} analyses. The smallest is that of {}: {}. The table has them all.",
        question_text(comparison_), shown_.size(), best.name, upper_text(best.answer->value.upper()));
  }

  [[nodiscard]] std::string ticks() const {
    std::string svg;
    for (const Tick& tick : axis_.ticks(size_.ticks)) {
      const double x = x_of(tick.value);
      svg += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" x2=\"{0:.1f}\" y1=\"{1:.1f}\" y2=\"{2:.1f}\"/>", x,
                         kTopMargin, bottom() + 5.0) +
             text_at(x, bottom() + 5.0 + 1.1 * size_.font, "tick", "middle", tick.label);
    }
    return svg + text_at(0.5 * (size_.left + size_.width - size_.right), bottom() + 3.0 * size_.font, "axis", "middle",
                         question_text(comparison_));
  }

  // A stem from the beginning of the axis to the bound; the best one ends in a diamond.
  [[nodiscard]] std::string line(std::size_t row) const {
    const ComparedAnalysis& one = comparison_.analyses[shown_[row]];
    const bool is_best = shown_[row] == comparison_.best();
    const bool is_beside = size_.left > 100.0;
    const double top = kTopMargin + size_.row * static_cast<double>(row);
    const double y = top + (is_beside ? 0.5 * size_.row : size_.row - 9.0);
    const double x = x_of(one.answer->value.upper());
    const char* style = is_best ? "upper" : "lower";
    const std::string shown =
        shortened(one.name, size_.font, is_beside ? size_.left - 20.0 : size_.width - size_.left - 10.0);
    std::string svg = is_beside
                          ? text_at(size_.left - 10.0, y + 0.35 * size_.font, is_best ? "axis" : "name", "end", shown)
                          : text_at(size_.left, y - 9.0, is_best ? "axis" : "name", "start", shown);
    svg += fmt::format("<path class=\"{}\" d=\"M{:.1f},{:.1f}H{:.1f}\"/>", style, size_.left, y, x);
    svg += is_best ? fmt::format("<path class=\"mark\" d=\"M{:.1f},{:.1f} m0,-7 l7,7 l-7,7 l-7,-7 z\"/>", x, y)
                   : fmt::format("<circle class=\"end\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"5\"/>", x, y);
    return svg + text_at(x + 11.0, y + 0.35 * size_.font, is_best ? "note" : "name", "start",
                         upper_text(one.answer->value.upper(), 4));
  }

  const Comparison& comparison_;
  const ChartSize& size_;
  std::vector<std::size_t> shown_;
  Axis axis_;
};

}  // namespace

std::string comparison_chart(const Comparison& comparison) {
  const std::string caption =
      "Upper ends: what each analysis guarantees. Shorter is better; the diamond marks the best.";
  return element("figure", "\n" + Drawing(comparison, kWideChart).svg() + Drawing(comparison, kNarrowChart).svg() +
                               text_element("figcaption", caption)) +
         "\n";
}

}  // namespace doeblin::report
