// SPDX-License-Identifier: Apache-2.0
#include "doeblin/report/line_chart.hpp"

#include <cmath>
#include <cstdlib>
#include <limits>

#include <gtest/gtest.h>

#include "support/text.hpp"

namespace doeblin::report {
namespace {

using doeblin::test::has;

TEST(LineChart, NamesAreText) {
  const std::string svg = svg_chart("<&'", {{"a<b", "x & y", {{"'first'", {{0.0, 1.0}}}, {"second", {{0.0, 2.0}}}}}});
  EXPECT_TRUE(has(svg, "<title id='title'>&lt;&amp;&#39;</title>"));
  EXPECT_TRUE(has(svg, ">a&lt;b<"));
  EXPECT_TRUE(has(svg, ">x &amp; y<"));
  EXPECT_TRUE(has(svg, ">&#39;first&#39;<"));
}

TEST(LineChart, EveryPointIsOnThePage) {
  const double infinity = std::numeric_limits<double>::infinity();
  const std::string svg = svg_chart(
      "t", {{"p", "x", {{"", {{1.0, 0.0}, {2.0, 1e-300}, {3.0, 1.0}, {4.0, infinity}}}}}, {"q", "x", {{"", {}}}}});
  EXPECT_FALSE(has(svg, "nan") || has(svg, "inf"));
  const std::size_t from = svg.find("d=\"M") + 4;
  const std::string path = svg.substr(from, svg.find('"', from) - from);
  for (std::size_t at = 0; at != std::string::npos;) {
    char* rest = nullptr;
    const double x = std::strtod(path.c_str() + at, &rest);
    const double y = std::strtod(rest + 1, nullptr);
    EXPECT_TRUE(x >= 84.0 && x <= 736.0 && y >= 44.0 && y <= 268.0) << x << " " << y;
    at = path.find('L', at);
    if (at != std::string::npos) ++at;
  }
}

}  // namespace
}  // namespace doeblin::report
