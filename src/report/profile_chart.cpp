// SPDX-License-Identifier: Apache-2.0
#include "report/profile_chart.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "report/bracket_plot.hpp"
#include "report/numbers.hpp"

namespace doeblin::report {
namespace {

using certificate::Claim;
using certificate::CurvePoint;

constexpr int kMostProfilePowers = 15;
// How far the axis goes below the smallest claim.
constexpr int kPowersBelowClaim = 3;

struct Point {
  double epsilon;
  double delta;
};

// Where the claim's guarantee stands.
Point point_of(const Claim& claim) {
  return claim.is_epsilon ? Point{claim.value.upper(), claim.at} : Point{claim.at, claim.value.upper()};
}

std::string claim_text(const Claim& claim, const char* format) {
  const Point point = point_of(claim);
  return fmt::format(fmt::runtime(format), claim.is_epsilon ? upper_text(point.epsilon) : exact_text(point.epsilon),
                     claim.is_epsilon ? exact_text(point.delta) : upper_text(point.delta));
}

std::string claim_label(const Claim& claim) { return claim_text(claim, "ε {}, δ {}"); }

// Claims that are as good as points of the curve: at most a pixel wide.
bool is_point(const Claim& claim) {
  return std::isfinite(point_of(claim).epsilon) && claim.value.relative_width() <= 1e-3;
}

std::vector<PlotPoint> finite_points(const std::vector<CurvePoint>& curve, const std::vector<Claim>& claims) {
  std::vector<PlotPoint> points;
  for (const CurvePoint& one : curve)
    if (std::isfinite(one.epsilon)) points.push_back({one.epsilon, one.delta});
  if (points.empty()) return {};
  for (const Claim& claim : claims)
    if (is_point(claim)) points.push_back({point_of(claim).epsilon, Bracket(point_of(claim).delta)});
  std::stable_sort(points.begin(), points.end(), [](const PlotPoint& a, const PlotPoint& b) { return a.x < b.x; });
  return points;
}

std::vector<PlotMark> marks_of(const std::vector<Claim>& claims) {
  std::vector<PlotMark> marks;
  for (const Claim& claim : claims) {
    const Point point = point_of(claim);
    if (std::isfinite(point.epsilon))
      marks.push_back({point.epsilon, point.delta, claim_label(claim), "claimed by the certificate"});
  }
  return marks;
}

int floor_exponent(double x) { return static_cast<int>(std::floor(std::log10(x) + 1e-9)); }
int ceil_exponent(double x) { return static_cast<int>(std::ceil(std::log10(x) - 1e-9)); }

// From 1, the largest delta there is, or the power of ten above the largest one.
Axis delta_axis(const std::vector<PlotPoint>& points, const std::vector<PlotMark>& marks) {
  double largest = 0.0;
  double smallest = 1.0;
  double smallest_claim = 1.0;
  const auto extend = [&](double delta) {
    largest = std::max(largest, delta);
    if (delta > 0.0) smallest = std::min(smallest, delta);
  };
  for (const PlotPoint& point : points) extend(point.y.upper());
  for (const PlotMark& mark : marks) {
    extend(mark.y);
    if (mark.y > 0.0) smallest_claim = std::min(smallest_claim, mark.y);
  }
  const int high = largest > 0.0 ? ceil_exponent(std::min(largest, 1.0)) : 0;
  const int limit = std::min(high - kMostProfilePowers, floor_exponent(smallest_claim) - kPowersBelowClaim);
  const int low = std::max(floor_exponent(smallest), limit);
  // A claim does not stand on the edge.
  return Axis::logarithmic(std::min({high - 1, low, marks.empty() ? low : floor_exponent(smallest_claim) - 1}), high);
}

// As far as the curve can be seen, and the claims.
Axis epsilon_axis(const std::vector<PlotPoint>& points, const std::vector<PlotMark>& marks, const Axis& delta) {
  double last = 0.0;
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i == 0 || delta.unlimited_place(points[i - 1].y.upper()) > 0.0) last = std::max(last, points[i].x);
  for (const PlotMark& mark : marks) last = std::max(last, mark.x);
  // Whoever claims 1e308 gets an axis too.
  return Axis::linear(0.0, last > 0.0 ? std::min(1.02 * last, 1e308) : 1.0);
}

std::string description_of(const std::vector<PlotPoint>& points, const std::vector<Claim>& claims, const Axis& delta) {
  std::string text =
      fmt::format("Delta, on a logarithmic axis, falls as epsilon grows: from {} at epsilon {} to {} at epsilon {}.",
                  bracket_text(points.front().y), exact_text(points.front().x), bracket_text(points.back().y),
                  exact_text(points.back().x));
  for (std::size_t i = 0; i < std::min<std::size_t>(claims.size(), 5); ++i)
    text += claim_text(claims[i], " Claimed: epsilon {}, delta {}.");
  const bool has_less =
      std::any_of(points.begin(), points.end(), [&](const PlotPoint& point) { return point.y.upper() < delta.low(); });
  if (has_less) text += " Smaller deltas than the axis shows are in the table below the plot.";
  return text;
}

}  // namespace

std::string profile_chart(const std::vector<CurvePoint>& curve, const std::vector<Claim>& claims) {
  const std::vector<PlotPoint> points = finite_points(curve, claims);
  if (points.empty()) return {};
  const std::vector<PlotMark> marks = marks_of(claims);
  const Axis delta = delta_axis(points, marks);
  return svg_of({.id = "profile",
                 .title = "Privacy profile: delta against epsilon",
                 .description = description_of(points, claims, delta),
                 .x_label = "epsilon ε (nats)",
                 .y_label = "delta δ (a probability)",
                 .x = epsilon_axis(points, marks, delta),
                 .y = delta,
                 .points = points,
                 .marks = marks});
}

}  // namespace doeblin::report
