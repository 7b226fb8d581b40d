// SPDX-License-Identifier: Apache-2.0
#include "composition/graded_grid.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/error.hpp"

namespace doeblin {
namespace {

// The largest power of two that is at most x.
double binade(double x) { return std::ldexp(1.0, std::ilogb(x)); }

// The widest cell that may start at this point.
double width_at(const Grading& grading, double point) {
  double width = std::min(grading.widest, std::max(grading.finest, grading.relative * point));
  for (const double edge : grading.edges)
    width = std::min(width, std::max(grading.finest_at_edge, grading.relative * std::fabs(point - edge)));
  return binade(width);
}

}  // namespace

GradedGrid::GradedGrid(const Grading& grading, std::size_t most) {
  ensure(grading.end > 0.0 && grading.finest > 0.0 && grading.widest > 0.0, "a graded grid has cells");
  points_.push_back(0.0);
  // Two cells more, for what is asked half a cell after the end.
  for (int beyond = 0; beyond < 3;) {
    if (points_.size() > most) {
      points_.clear();
      return;
    }
    const double point = points_.back();
    double width = width_at(grading, point);
    // A width that the point is no multiple of would leave the grid of exact halves.
    while (std::fmod(point, width) != 0.0) width /= 2.0;
    points_.push_back(point + width);
    growths_.push_back(std::expm1(width));
    half_growths_.push_back(std::expm1(width / 2.0));
    if (points_.back() >= grading.end) ++beyond;
  }
}

std::int64_t GradedGrid::cells_to(double end) const {
  const auto found = std::lower_bound(points_.begin(), points_.end(), end);
  const auto most = static_cast<std::int64_t>(points_.size()) - 2;
  return std::clamp<std::int64_t>(found - points_.begin(), 1, most);
}

std::vector<double> GradedGrid::halves(std::int64_t cells) const {
  std::vector<double> result;
  result.reserve(2 * index(cells) + 2);
  for (std::int64_t k = 0; k <= cells; ++k) {
    result.push_back(point(k));
    result.push_back(0.5 * (point(k) + point(k + 1)));
  }
  return result;
}

double GradedGrid::growth(std::int64_t i, std::int64_t j) const {
  if (j - i == 1) return i >= 0 ? growths_[index(i)] : growths_[index(-j)];
  return std::expm1(point(j) - point(i));
}

// With widths a of this half cell and b of the one before, (e^a - 1)/(1 - e^{-b}).
double GradedGrid::onward(double drop, std::size_t m) const {
  const std::size_t k = m / 2;
  if (m % 2 == 1) return drop * (half_growths_[k] + 1.0);
  const double before = half_growths_[k > 0 ? k - 1 : 0];
  return drop * (half_growths_[k] * (before + 1.0) / before);
}

// With widths a of this half cell and c of the one after, (1 - e^{-a})/(e^c - 1).
double GradedGrid::backward(double drop, std::size_t m) const {
  const std::size_t k = m / 2;
  const double root = half_growths_[k] + 1.0;
  return m % 2 == 0 ? drop / root : drop * (half_growths_[k] / root / half_growths_[k + 1]);
}

}  // namespace doeblin
