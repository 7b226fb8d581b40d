// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "report/bracket_plot.hpp"
#include "report/svg.hpp"

namespace doeblin::report {

/// A drawing, in units that are pixels where it is shown at its own size.
struct PlotSize {
  const char* name;
  double width;
  double height;
  double font;
  int x_ticks;
  int y_ticks;
};

inline constexpr PlotSize kWide{"wide", 800.0, 400.0, 13.0, 8, 8};
inline constexpr PlotSize kNarrow{"narrow", 340.0, 320.0, 12.0, 5, 7};

/// Where curves and marks may be.
struct PlotArea {
  double left = 0.0;
  double right = 0.0;
  double top = 0.0;
  double bottom = 0.0;

  [[nodiscard]] bool contains(const Place& place) const {
    return place.x >= left && place.x <= right && place.y >= top && place.y <= bottom;
  }
};

/// Text that begins at `start`, on the base line.
struct PlacedLabel {
  Place start = {};
  double width = 0.0;  ///< about
  std::string text = {};
};

/// About how wide a text is.
[[nodiscard]] double width_of(std::string_view text, double font);
/// The text, cut so that it is about as wide as that.
[[nodiscard]] std::string shortened(const std::string& text, double font, double width);

struct PlotGeometry {
  PlotArea area = {};
  /// In pieces, where a curve leaves the plot and comes back.
  std::vector<Path> upper = {};
  std::vector<Path> lower = {};
  /// Between the two, closed.
  Path band = {};
  std::vector<Place> marks = {};
  std::vector<PlacedLabel> labels = {};
  /// The ends are nowhere further apart than the line is wide.
  bool is_one_line = false;
};

[[nodiscard]] PlotArea area_of(const PlotSize& size);
[[nodiscard]] Place place_of(const BracketPlot& plot, const PlotArea& area, double x, double y);
[[nodiscard]] PlotGeometry geometry_of(const BracketPlot& plot, const PlotSize& size);

/// More points than pixels show nothing more.
inline constexpr std::size_t kMostPoints = 800;

/// At most `most` groups of neighbours, each with the largest upper and the smallest lower end, so that no peak is
/// lost.
[[nodiscard]] std::vector<PlotPoint> thinned(const std::vector<PlotPoint>& points, std::size_t most);

}  // namespace doeblin::report
