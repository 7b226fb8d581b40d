// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

/// Line charts as SVG files of their own, for light and dark pages.
namespace doeblin::report {

struct ChartLine {
  std::string name;  ///< for the legend; needed where a panel has several lines
  std::vector<std::pair<double, double>> points;
};

/// One panel: linear in x; linear in y, or by powers of ten where the values span more than three of them.
struct ChartPanel {
  std::string title;
  std::string x_label;
  std::vector<ChartLine> lines;
};

/// The panels one below the other. `title` is what a screen reader says.
[[nodiscard]] std::string svg_chart(const std::string& title, const std::vector<ChartPanel>& panels);

}  // namespace doeblin::report
