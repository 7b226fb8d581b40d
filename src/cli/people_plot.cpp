// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "cli/people_report.hpp"
#include "doeblin/core/format.hpp"

namespace doeblin::cli {
namespace {

constexpr double kWidth = 760.0;
constexpr double kPanel = 320.0;  // height of one panel
constexpr double kLeft = 84.0;
constexpr double kRight = 24.0;
constexpr double kTop = 44.0;
constexpr double kBottom = 52.0;
// More points than pixels show nothing more.
constexpr std::size_t kMostPoints = 1500;

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
  explicit Scale(const PeopleAnswer& answer) {
    largest_ = 0.0;
    double smallest = rounding::kInfinity;
    for (const ForRecords& one : answer.values) {
      const double value = one.value.upper();
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

std::string panel(const PeopleAnswer& answer, std::size_t count, double top) {
  const auto [value, argument] = names(answer.question.quantity);
  const double inner = kWidth - kLeft - kRight;
  const double height = kPanel - kTop - kBottom;
  const Scale scale(answer);
  const auto x_of = [&](double record) {
    return kLeft + inner * (count > 1 ? (record - 1.0) / (static_cast<double>(count) - 1.0) : 0.5);
  };
  const auto y_of = [&](double v) { return top + kTop + height * (1.0 - scale.place(v)); };
  std::string text = fmt::format("<text class='title' x='{}' y='{}'>{} of every record at {} = {}</text>\n", kLeft,
                                 top + 24.0, value, argument, format_exact(answer.question.argument));
  for (const double tick : scale.ticks())
    text += fmt::format(
        "<line class='grid' x1='{:.1f}' x2='{:.1f}' y1='{:.1f}' y2='{:.1f}'/>"
        "<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='end'>{:.3g}</text>\n",
        kLeft, kWidth - kRight, y_of(tick), y_of(tick), kLeft - 8.0, y_of(tick) + 4.0, tick);
  const double step = count > 1 ? nice_step(static_cast<double>(count), 6) : 1.0;
  for (double record = 0.0; record <= static_cast<double>(count); record += step) {
    const double shown = std::max(record, 1.0);
    text += fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>{:.0f}</text>\n", x_of(shown),
                        top + kPanel - kBottom + 20.0, shown);
  }
  text +=
      fmt::format("<text class='tick' x='{:.1f}' y='{:.1f}' text-anchor='middle'>record, in the order of use</text>\n",
                  kLeft + inner / 2.0, top + kPanel - 10.0);
  // The largest value of each group of neighbours, so that no peak is lost.
  const std::size_t stride = (answer.values.size() + kMostPoints - 1) / kMostPoints;
  std::string path;
  for (std::size_t i = 0; i < answer.values.size(); i += stride) {
    const std::size_t end = std::min(answer.values.size(), i + stride);
    double largest = 0.0;
    for (std::size_t j = i; j < end; ++j) largest = std::max(largest, answer.values[j].value.upper());
    for (const std::size_t record : {answer.values[i].first, answer.values[end - 1].last})
      path +=
          fmt::format("{}{:.2f},{:.2f}", path.empty() ? "M" : " L", x_of(static_cast<double>(record)), y_of(largest));
  }
  return text + fmt::format("<path class='curve' d='{}'/>\n", path);
}

}  // namespace

std::string people_svg(const PeopleReport& report) {
  const double height = kPanel * static_cast<double>(report.answers.size());
  std::string text = fmt::format(
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {0} {1}' width='{0}' height='{1}' role='img' "
      "aria-labelledby='title'>\n<title id='title'>Guarantee of each of {2} records</title>\n"
      "<style>\n"
      "  text {{ font-family: system-ui, sans-serif; fill: #222; }}\n"
      "  .title {{ font-size: 16px; font-weight: 600; }} .tick {{ font-size: 12px; }}\n"
      "  .grid {{ stroke: #8884; stroke-width: 1; }}\n"
      "  .curve {{ fill: none; stroke: #0b62a4; stroke-width: 2; }}\n"
      "  .page {{ fill: #fff; }}\n"
      "  @media (prefers-color-scheme: dark) {{ text {{ fill: #ddd; }} .page {{ fill: #16181c; }} .curve {{ stroke: "
      "#6cb6ff; }} }}\n"
      "</style>\n<rect class='page' width='{0}' height='{1}'/>\n",
      kWidth, height, report.count);
  for (std::size_t i = 0; i < report.answers.size(); ++i)
    text += panel(report.answers[i], report.count, kPanel * static_cast<double>(i));
  return text + "</svg>\n";
}

}  // namespace doeblin::cli
