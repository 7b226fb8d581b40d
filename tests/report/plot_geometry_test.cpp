// SPDX-License-Identifier: Apache-2.0
#include "report/plot_geometry.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::report {
namespace {

BracketPlot plot_of(std::vector<PlotPoint> points, Axis y) {
  const double last = points.empty() ? 1.0 : std::max(1.0, points.back().x);
  return {.id = "x",
          .title = "t",
          .description = "d",
          .x_label = "x",
          .y_label = "y",
          .x = Axis::linear(0.0, last),
          .y = y,
          .points = std::move(points)};
}

bool is_inside(const PlotGeometry& geometry) {
  const auto holds = [&](const Path& path) {
    return std::all_of(path.begin(), path.end(), [&](const Place& place) { return geometry.area.contains(place); });
  };
  return std::all_of(geometry.upper.begin(), geometry.upper.end(), holds) &&
         std::all_of(geometry.lower.begin(), geometry.lower.end(), holds) && holds(geometry.band) &&
         holds(geometry.marks);
}

TEST(PlotGeometry, EmptyAndOnePoint) {
  for (const PlotSize& size : {kWide, kNarrow}) {
    const PlotGeometry none = geometry_of(plot_of({}, Axis::logarithmic(-4, 0)), size);
    EXPECT_TRUE(none.upper.empty() && none.band.empty());
    const PlotGeometry one = geometry_of(plot_of({{0.5, Bracket(1e-3, 1e-1)}}, Axis::logarithmic(-4, 0)), size);
    ASSERT_EQ(one.upper.size(), 1u);
    EXPECT_EQ(one.upper[0].size(), 1u);
    EXPECT_TRUE(is_inside(one));
  }
}

TEST(PlotGeometry, ACurveThatLeavesTheAxisEndsAtItsEdge) {
  // 1e-2 to 1e-6 with an axis down to 1e-4: it leaves half-way.
  const PlotGeometry geometry =
      geometry_of(plot_of({{0.0, Bracket(1e-2)}, {1.0, Bracket(1e-6)}, {2.0, Bracket(1e-300)}, {3.0, Bracket(0.0)}},
                          Axis::logarithmic(-4, 0)),
                  kWide);
  ASSERT_EQ(geometry.upper.size(), 1u);
  ASSERT_EQ(geometry.upper[0].size(), 2u);
  EXPECT_DOUBLE_EQ(geometry.upper[0][1].y, geometry.area.bottom);
  EXPECT_NEAR(geometry.upper[0][1].x, geometry.area.left + (geometry.area.right - geometry.area.left) / 6.0, 1e-9);
  EXPECT_TRUE(geometry.is_one_line);
}

TEST(PlotGeometry, ZeroIsReachedWhereItIs) {
  const PlotGeometry geometry =
      geometry_of(plot_of({{0.0, Bracket(1e-2)}, {1.0, Bracket(0.0)}}, Axis::logarithmic(-4, 0)), kWide);
  ASSERT_EQ(geometry.upper.size(), 1u);
  ASSERT_EQ(geometry.upper[0].size(), 2u);
  EXPECT_DOUBLE_EQ(geometry.upper[0][1].x, geometry.area.right);
  EXPECT_DOUBLE_EQ(geometry.upper[0][1].y, geometry.area.bottom);
}

TEST(PlotGeometry, ACurveMayComeBack) {
  const PlotGeometry geometry =
      geometry_of(plot_of({{0.0, Bracket(1e-2)}, {1.0, Bracket(1e-9)}, {2.0, Bracket(1e-9)}, {3.0, Bracket(1e-2)}},
                          Axis::logarithmic(-4, 0)),
                  kNarrow);
  EXPECT_EQ(geometry.upper.size(), 2u);
  EXPECT_TRUE(is_inside(geometry));
}

TEST(PlotGeometry, ThinningKeepsPeaksAndEnds) {
  std::vector<PlotPoint> many;
  for (int i = 0; i < 10000; ++i) many.push_back({static_cast<double>(i), Bracket(1.0, i == 4321 ? 9.0 : 2.0)});
  const std::vector<PlotPoint> few = thinned(many, 100);
  EXPECT_LE(few.size(), 200u);
  EXPECT_EQ(few.front().x, 0.0);
  EXPECT_EQ(few.back().x, 9999.0);
  EXPECT_TRUE(std::any_of(few.begin(), few.end(), [](const PlotPoint& point) { return point.y.upper() == 9.0; }));
  EXPECT_EQ(thinned(many, 10000).size(), 10000u);
}

TEST(PlotGeometry, TextIsShortenedAtALetter) {
  EXPECT_EQ(shortened("best", 10.0, 100.0), "best");
  EXPECT_EQ(shortened("ééééé", 10.0, 3.0 * width_of("e", 10.0)), "éé…");
  EXPECT_EQ(width_of("é", 10.0), width_of("e", 10.0));
}

std::vector<PlotPoint> any_points() {
  std::vector<PlotPoint> points;
  double x = 0.0;
  for (int left = *rc::gen::inRange(0, 30); left > 0; --left) {
    x += doeblin::test::log_uniform(1e-3, 10.0);
    const double upper = *rc::gen::element(0.0, 1.0, rounding::kInfinity, doeblin::test::log_uniform(1e-300, 1e3));
    points.push_back({x, Bracket(*rc::gen::element(0.0, 0.5, 1.0) * std::min(upper, 1e300), upper)});
  }
  return points;
}

RC_GTEST_PROP(PlotGeometry, EverythingIsInsideAndInOrder, ()) {
  const std::vector<PlotPoint> points = any_points();
  std::vector<double> uppers;
  for (const PlotPoint& point : points) uppers.push_back(point.y.upper());
  BracketPlot plot =
      plot_of(points, *rc::gen::element(0, 1) == 0 ? Axis::logarithmic(-18, 0) : Axis::for_values(uppers));
  for (int k = *rc::gen::inRange(0, 6); k > 0; --k)
    plot.marks.push_back(
        {doeblin::test::uniform(0.0, 40.0), doeblin::test::log_uniform(1e-20, 1.0), "epsilon 2.3762, delta 1e-5"});
  const PlotSize& size = **rc::gen::element(&kWide, &kNarrow);
  const PlotGeometry geometry = geometry_of(plot, size);
  RC_ASSERT(is_inside(geometry));
  for (const std::vector<Path>& curve : {geometry.upper, geometry.lower})
    for (const Path& path : curve)
      RC_ASSERT(std::is_sorted(path.begin(), path.end(), [](const Place& a, const Place& b) { return a.x < b.x; }));
  // Labels stay on the drawing, and off each other.
  for (std::size_t i = 0; i < geometry.labels.size(); ++i) {
    const PlacedLabel& label = geometry.labels[i];
    RC_ASSERT(label.start.x >= 0.0 && label.start.x + label.width <= size.width);
    RC_ASSERT(label.start.y >= 0.0 && label.start.y <= size.height);
    for (std::size_t j = 0; j < i; ++j) {
      const PlacedLabel& other = geometry.labels[j];
      const bool is_apart = std::fabs(label.start.y - other.start.y) >= size.font ||
                            label.start.x >= other.start.x + other.width ||
                            other.start.x >= label.start.x + label.width;
      RC_ASSERT(is_apart);
    }
  }
}

RC_GTEST_PROP(PlotGeometry, LargerValuesAreHigher, ()) {
  const BracketPlot plot = plot_of({}, *rc::gen::element(Axis::logarithmic(-300, 0), Axis::linear(0.0, 2.0)));
  const PlotArea area = area_of(kWide);
  const double a = doeblin::test::log_uniform(1e-300, 1.0);
  const double b = a * doeblin::test::uniform(1.0, 10.0);
  RC_ASSERT(place_of(plot, area, 0.5, a).y >= place_of(plot, area, 0.5, b).y);
  RC_ASSERT(place_of(plot, area, a, 1.0).x <= place_of(plot, area, b, 1.0).x);
}

}  // namespace
}  // namespace doeblin::report
