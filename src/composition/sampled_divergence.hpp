// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "composition/minorant.hpp"
#include "doeblin/composition/loss_lattice.hpp"

/// A divergence known at the points of a grid, as laws of losses on those points from both sides.
///
/// A grid is symmetric around 0 and has
///   point(k)            the loss at k, a double
///   growth(i, j)        e^{x_j - x_i} - 1, for i < j
///   root(k)             e to half of the cell from k to k + 1, for k >= 0
///   onward(drop, m)     a drop over half cell m - 1 continued over half cell m (2 k and 2 k + 1 make up cell k)
///   backward(drop, m)   a drop over half cell m + 1 continued back over half cell m
namespace doeblin::chords {

inline DivergenceSamples sampled(const Profile& profile, const std::vector<double>& at) {
  DivergenceSamples samples;
  samples.lower.resize(at.size());
  samples.upper.resize(at.size());
  static_cast<void>(profile.deltas(at, samples.lower, samples.upper));
  samples.limit = profile.delta(Epsilon(rounding::kInfinity)).lower();
  return samples;
}

// A divergence never grows with its level: at most the smallest of the values so far, on the whole steps.
inline std::vector<double> falling(const std::vector<double>& values, std::int64_t cells, double start) {
  std::vector<double> result{start};
  for (std::int64_t k = 1; k <= cells; ++k)
    result.push_back(std::min(result.back(), values[static_cast<std::size_t>(2 * k)]));
  return result;
}

// The kink at k >= 1; the function is flat after the last value.
template <typename Grid>
Approximate kink_at(const Grid& grid, const std::vector<double>& values, std::size_t k) {
  const auto at = static_cast<std::int64_t>(k);
  const bool last = k + 1 == values.size();
  return kink(values[k - 1] - values[k], last ? 0.0 : values[k] - values[k + 1], grid.growth(at - 1, at),
              last ? 1.0 : grid.growth(at, at + 1));
}

template <typename Grid>
bool has_concave_kink(const Grid& grid, const std::vector<double>& values) {
  for (std::size_t k = 1; k < values.size(); ++k) {
    const Approximate mass = kink_at(grid, values, k);
    if (mass.value < -mass.error) return true;
  }
  return false;
}

/// The chords of the upper ends. mass[k] sits at the grid's point first + k.
template <typename Grid>
LossLattice upper_lattice(const Grid& grid, const DivergenceSamples& right, const DivergenceSamples& left) {
  const double start = std::min(1.0, std::min(right.upper[0], left.upper[0]));
  const std::vector<double> rights = falling(right.upper, right.cells(), start);
  const std::vector<double> lefts = falling(left.upper, left.cells(), start);
  const double growth = grid.growth(0, 1);
  const double up = (start - rights[1]) / growth;
  const double down = (start - lefts[1]) / growth;
  const Approximate middle{1.0 - start - up - down, kRounding * (1.0 + start + std::fabs(up) + std::fabs(down))};
  LossLattice result;
  if (middle.value < -middle.error || has_concave_kink(grid, rights) || has_concave_kink(grid, lefts)) {
    // The bound is no divergence of a pair; the greatest convex function below it is, and still holds (C7).
    result = Minorant(grid, rights, lefts).upper_lattice();
  } else {
    result = {.first = -left.cells(), .infinite = rights.back()};
    result.mass.reserve(rights.size() + lefts.size());
    for (std::size_t k = lefts.size() - 1; k > 0; --k)
      result.mass.push_back(rounding::larger(
          kSmallestMass,
          kink_at(grid, lefts, k).upper() * (std::exp(-grid.point(static_cast<std::int64_t>(k))) * (1.0 + kRounding))));
    result.mass.push_back(middle.upper());
    for (std::size_t k = 1; k < rights.size(); ++k) result.mass.push_back(kink_at(grid, rights, k).upper());
  }
  double total = result.infinite;
  for (const double mass : result.mass) total += mass;
  // Adding up errs by a unit for each mass.
  result.log_total =
      std::log1p(rounding::larger(0.0, total - 1.0)) + kUnit * (static_cast<double>(result.mass.size()) + 4.0);
  return result;
}

// Values at the points whose chords lie below the divergence.
template <typename Grid>
std::vector<double> lowered(const Grid& grid, const DivergenceSamples& half, const DivergenceSamples& other) {
  const auto cells = static_cast<std::size_t>(half.cells());
  // The value half a step to the left of 0, by parity.
  const double before_first = 1.0 - (1.0 - other.upper[1]) / grid.root(0) + kRounding;
  // How far the divergence can sag below the chord of its lower ends, in each cell. On half a cell it lies above its
  // own chord minus a triangle under the extensions of its neighbours' chords.
  std::vector<double> sag(cells);
  for (std::size_t k = 0; k < cells; ++k) {
    const double* low = &half.lower[2 * k];
    const double* high = &half.upper[2 * k];
    const double left_of = k > 0 ? high[-1] : before_first;
    const double to_middle = 1.0 / (grid.root(static_cast<std::int64_t>(k)) + 1.0);
    const double middle = std::max(0.0, low[0] + (low[2] - low[0]) * to_middle - low[1]);
    double worst = middle;
    const auto half_cell = [&](double before, double start, double end, double after, std::size_t m) {
      const double slope = end - start;
      const double e1 = std::max(0.0, slope - grid.onward(start - before, m));
      const double e2 = std::max(0.0, grid.backward(after - end, m) - slope);
      if (e1 + e2 <= 0.0) return;
      const double where = e2 / (e1 + e2);
      worst = std::max(worst, middle * (m % 2 == 0 ? where : 1.0 - where) + e1 * where);
    };
    half_cell(left_of, low[0], low[1], high[2], 2 * k);
    half_cell(high[0], low[1], low[2], high[3], 2 * k + 1);
    sag[k] = worst * (1.0 + kRounding) + 3.0 * kRounding * low[0];
  }
  std::vector<double> values(cells + 1);
  for (std::size_t k = 0; k <= cells; ++k) {
    const double most = std::max(k > 0 ? sag[k - 1] : 0.0, k < cells ? sag[k] : 0.0);
    values[k] = rounding::next_down(half.lower[2 * k] - most);
  }
  // From the last point that stands clear of the limit the function drops to it.
  std::size_t end = 0;
  while (end < cells && values[end + 1] > half.limit) ++end;
  values.resize(end + 1);
  if (end > 0) values[end] = half.limit;
  return values;
}

/// The greatest convex function below the lowered values. mass[k] sits at the grid's point first + k.
template <typename Grid>
LossLattice lower_lattice(const Grid& grid, const DivergenceSamples& right, const DivergenceSamples& left) {
  std::vector<double> above = lowered(grid, right, left);
  std::vector<double> below = lowered(grid, left, right);
  const double start = std::min(above[0], below[0]);
  LossLattice nothing{.first = 0, .mass = {0.0}, .infinite = right.limit};
  if (above.size() < 2 || below.size() < 2 || !(start > right.limit)) return nothing;
  above[0] = below[0] = start;
  if (!(start > left.limit)) return nothing;
  return Minorant(grid, above, below).lattice().value_or(nothing);
}

}  // namespace doeblin::chords
