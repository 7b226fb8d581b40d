// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/bracket.hpp"
#include "report/axis.hpp"

/// Curves that are known from both sides, as inline SVG.
namespace doeblin::report {

struct PlotPoint {
  double x = 0.0;
  Bracket y = {};
};

/// Marks differ in shape, so that no colour is needed to tell them apart.
enum class MarkShape { kDiamond, kUp, kDown };

struct PlotMark {
  double x = 0.0;
  double y = 0.0;
  std::string label = {};
  std::string meaning = {};  ///< for the legend; the same for all marks of a shape
  MarkShape shape = MarkShape::kDiamond;
};

/// A horizontal line across the plot.
struct PlotLevel {
  double y = 0.0;
  std::string label = {};
  std::string meaning = {};
};

struct BracketPlot {
  std::string id;           ///< what the ids of its parts begin with
  std::string title;        ///< a few words, for those who do not see it
  std::string description;  ///< the same in sentences
  std::string x_label;
  std::string y_label;
  Axis x;
  Axis y;
  bool has_whole_x = false;            ///< ticks at whole numbers only
  std::vector<PlotPoint> points = {};  ///< increasing in x, which is finite
  std::vector<PlotMark> marks = {};    ///< the first ones keep their labels where there is room for few
  std::optional<PlotLevel> level = std::nullopt;
};

/// The plot in two sizes, of which the page shows the one that fits, so that its letters are never scaled down, and a
/// legend.
[[nodiscard]] std::string svg_of(const BracketPlot& plot);

}  // namespace doeblin::report
