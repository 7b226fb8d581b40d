// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "doeblin/composition/loss_lattice.hpp"
#include "doeblin/core/rounding.hpp"

/// Piecewise linear functions of g = e^eps as laws of losses.
namespace doeblin::chords {

using rounding::kUnit;
// Every mass below is a handful of rounded operations on its terms; eight units cover them.
inline constexpr double kRounding = 8.0 * kUnit;

inline constexpr double kSmallestMass = 1e-300;

// A mass and a bound on how far rounding may have moved it.
struct Approximate {
  double value;
  double error;

  /// Masses are 0 or at least kSmallestMass.
  [[nodiscard]] double upper() const { return rounding::larger(kSmallestMass, rounding::larger(0.0, value) + error); }
  [[nodiscard]] double lower() const { return value - error < kSmallestMass ? 0.0 : value - error; }
};

// The kink of a piecewise linear function of g at one point, times g there: with drops d1 = f_i - f_j over n1 steps
// and d2 = f_j - f_k over n2 steps, d1/(1 - e^{-n1 h}) - d2/(e^{n2 h} - 1).
inline Approximate kink(double before, double after, double growth_before, double growth_after) {
  // 1/(1 - e^{-x}) = 1 + 1/(e^x - 1).
  const double left = before / growth_before;
  const double right = after / growth_after;
  return {(left - right) + before, kRounding * (std::fabs(left) + std::fabs(right) + std::fabs(before))};
}

// Points of a piecewise linear function on the grid: the divergence at k >= 0, the reversed one at k <= 0.
template <typename Grid>
class Minorant {
 public:
  // right[0] = left[0] is the value at 0.
  Minorant(const Grid& grid, const std::vector<double>& right, const std::vector<double>& left)
      : grid_(grid),
        right_(right),
        left_(left),
        last_(static_cast<std::int64_t>(right.size()) - 1),
        first_(-(static_cast<std::int64_t>(left.size()) - 1)) {
    for (std::int64_t k = first_; k <= last_; ++k) {
      while (kept_.size() >= 2 && !is_convex_at(kept_.size() - 1, k)) kept_.pop_back();
      kept_.push_back(k);
    }
  }

  /// The chords between the kept points lie above every convex function that is below all points: its masses, rounded
  /// up. Whatever the chain left out made them larger than they need to be.
  [[nodiscard]] LossLattice upper_lattice() const {
    LossLattice result{.first = first_,
                       .mass = std::vector<double>(static_cast<std::size_t>(last_ - first_) + 1, kSmallestMass),
                       .infinite = right_.back()};
    for (std::size_t p = 0; p < kept_.size(); ++p) {
      const std::int64_t j = kept_[p];
      result.mass[static_cast<std::size_t>(j - first_)] =
          mass_at(p > 0 ? kept_[p - 1] : kNone, j, p + 1 < kept_.size() ? kept_[p + 1] : kNone).upper();
    }
    return result;
  }

  /// Empty when an end of the function is not convex.
  [[nodiscard]] std::optional<LossLattice> lattice() const {
    LossLattice result{.first = first_, .mass = std::vector<double>(static_cast<std::size_t>(last_ - first_) + 1, 0.0)};
    const double kept = 1.0 - raised_share();
    result.infinite = std::max(0.0, right_.back() * kept);
    for (std::size_t p = 0; p < kept_.size(); ++p) {
      const std::int64_t j = kept_[p];
      const Approximate mass = mass_at(p > 0 ? kept_[p - 1] : kNone, j, p + 1 < kept_.size() ? kept_[p + 1] : kNone);
      if (mass.value - mass.error < 0.0) return std::nullopt;
      result.mass[static_cast<std::size_t>(j - first_)] = Approximate{mass.value * kept, mass.error}.lower();
    }
    return result;
  }

 private:
  static constexpr std::int64_t kNone = INT64_MAX;

  // 1 - e^{-x} from e^x - 1: chords are weighted by (g_k - g_j)/(g_k - g_i) = (1 - e^{x_j - x_k})/(1 - e^{x_i - x_k}).
  static double share(double growth) { return growth / (1.0 + growth); }

  // A point that only rounding made look concave is left out although the chord that replaces it passes above it. The
  // whole function is scaled down by the largest share that this adds to it.
  [[nodiscard]] double raised_share() const {
    double largest = 0.0;
    for (std::size_t p = 0; p + 1 < kept_.size(); ++p) {
      const std::int64_t i = kept_[p];
      const std::int64_t k = kept_[p + 1];
      const double whole = k > i + 1 ? share(grid_.growth(i, k)) : 0.0;
      for (std::int64_t j = i + 1; j < k; ++j) {
        // In the coordinates of the side that j is on; there the weight of the other end is exact to rounding.
        const bool right = j >= 0;
        const std::vector<double>& own = right ? right_ : left_;
        const std::vector<double>& other = right ? left_ : right_;
        const double near = value(own, other, right ? i : -k);
        const double far = value(own, other, right ? k : -i);
        const double weight = share(right ? grid_.growth(j, k) : grid_.growth(i, j)) / whole;
        const double chord = far + (near - far) * weight;
        // A value taken across 0 by parity is off by a few units of 1; all else is relative.
        const bool crosses = right ? i < 0 : k > 0;
        const double rounded = std::fabs(far) + std::fabs(near - far) * weight;
        const double slack = kRounding * (rounded + (crosses ? weight : 0.0));
        const double excess = chord + slack - own[static_cast<std::size_t>(right ? j : -j)];
        if (excess > 0.0) largest = std::max(largest, chord > 0.0 ? excess / chord : 1.0);
      }
    }
    return std::min(1.0, largest * (1.0 + 1e-9) + 4.0 * kUnit);
  }

  [[nodiscard]] bool is_convex_at(std::size_t position, std::int64_t next) const {
    const Approximate mass = mass_at(kept_[position - 1], kept_[position], next);
    return mass.value - mass.error >= 0.0;
  }

  // The value at k as a divergence of the direction whose own side is `values`; across 0 by parity,
  // D_g(P||Q) = 1 - g (1 - D_{1/g}(Q||P)).
  [[nodiscard]] double value(const std::vector<double>& own, const std::vector<double>& other, std::int64_t k) const {
    if (k >= 0) return own[static_cast<std::size_t>(k)];
    return 1.0 - std::exp(grid_.point(k)) * (1.0 - other[static_cast<std::size_t>(-k)]);
  }

  // Mass of the first law at j between the kept points i and k.
  [[nodiscard]] Approximate mass_at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    if (j == 0 && i != kNone && k != kNone) {
      const double v = right_[0];
      const double above = (v - right_[static_cast<std::size_t>(k)]) / grid_.growth(0, k);
      const double below = (v - left_[static_cast<std::size_t>(-i)]) / grid_.growth(i, 0);
      return {1.0 - v - above - below, kRounding * (1.0 + v + std::fabs(above) + std::fabs(below))};
    }
    if (j >= 0) return side_mass(right_, left_, i, j, k);
    // The mirror image gives the mass under the second law, e^{-loss} times that of the first.
    const Approximate mirrored = side_mass(left_, right_, k == kNone ? kNone : -k, -j, i == kNone ? kNone : -i);
    const double ratio = std::exp(grid_.point(j));
    return {ratio * mirrored.value, ratio * (mirrored.error + 4.0 * kUnit * std::fabs(mirrored.value))};
  }

  // For j >= 0, in the coordinates of `own`; a missing k means flat from j on, a missing i cannot happen unless the
  // function has one point.
  [[nodiscard]] Approximate side_mass(const std::vector<double>& own, const std::vector<double>& other, std::int64_t i,
                                      std::int64_t j, std::int64_t k) const {
    if (i == kNone) return {0.0, 0.0};
    const double at_j = value(own, other, j);
    const double before = value(own, other, i) - at_j;
    const double after = k == kNone ? 0.0 : at_j - value(own, other, k);
    const double growth_before = grid_.growth(i, j);
    Approximate mass = kink(before, after, growth_before, k == kNone ? 1.0 : grid_.growth(j, k));
    // A value taken across 0 by parity is off by a few units of 1.
    if (i < 0) mass.error += kRounding * (1.0 + 1.0 / growth_before);
    return mass;
  }

  const Grid& grid_;
  const std::vector<double>& right_;
  const std::vector<double>& left_;
  std::int64_t last_;
  std::int64_t first_;
  std::vector<std::int64_t> kept_;
};

}  // namespace doeblin::chords
