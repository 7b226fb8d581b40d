// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/loss_lattice.hpp"
#include "doeblin/core/rounding.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

namespace doeblin {
namespace {

using rounding::kUnit;
// Every mass below is a handful of rounded operations on its terms; eight units cover them.
constexpr double kRounding = 8.0 * kUnit;

constexpr double kSmallestMass = 1e-300;

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
Approximate kink(double before, double after, double growth_before, double growth_after) {
  // 1/(1 - e^{-x}) = 1 + 1/(e^x - 1).
  const double left = before / growth_before;
  const double right = after / growth_after;
  return {(left - right) + before, kRounding * (std::fabs(left) + std::fabs(right) + std::fabs(before))};
}

// Masses on 1 .. n of the chords through values[0], values[1], ...; the function is flat after the last.
std::vector<double> chord_masses(const std::vector<double>& values, double growth) {
  std::vector<double> masses(values.size() - 1);
  for (std::size_t k = 1; k < values.size(); ++k) {
    const double after = k + 1 < values.size() ? values[k] - values[k + 1] : 0.0;
    masses[k - 1] = kink(values[k - 1] - values[k], after, growth, growth).upper();
  }
  return masses;
}

// Points of a piecewise linear function on the grid: the divergence at k >= 0, the reversed one at k <= 0.
class Minorant {
 public:
  // right[0] = left[0] is the value at 0.
  Minorant(double step, const std::vector<double>& right, const std::vector<double>& left)
      : step_(step),
        growth_(std::expm1(step)),
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
    LossLattice result{.step = step_,
                       .first = first_,
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
    LossLattice result{
        .step = step_, .first = first_, .mass = std::vector<double>(static_cast<std::size_t>(last_ - first_) + 1, 0.0)};
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

  // A point that only rounding made look concave is left out although the chord that replaces it passes above it. The
  // whole function is scaled down by the largest share that this adds to it.
  [[nodiscard]] double raised_share() const {
    double largest = 0.0;
    for (std::size_t p = 0; p + 1 < kept_.size(); ++p) {
      const std::int64_t i = kept_[p];
      const std::int64_t k = kept_[p + 1];
      const double whole = k > i + 1 ? std::expm1(static_cast<double>(k - i) * step_) : 0.0;
      for (std::int64_t j = i + 1; j < k; ++j) {
        // In the coordinates of the side that j is on; there the weight of the other end is exact to rounding.
        const bool right = j >= 0;
        const std::vector<double>& own = right ? right_ : left_;
        const std::vector<double>& other = right ? left_ : right_;
        const double near = value(own, other, right ? i : -k, step_);
        const double far = value(own, other, right ? k : -i, step_);
        const double weight = std::expm1(static_cast<double>(right ? k - j : j - i) * step_) / whole;
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

  [[nodiscard]] double growth(std::int64_t steps) const {
    return steps == 1 ? growth_ : std::expm1(static_cast<double>(steps) * step_);
  }

  // The value at k as a divergence of the direction whose own side is `values`; across 0 by parity,
  // D_g(P||Q) = 1 - g (1 - D_{1/g}(Q||P)).
  static double value(const std::vector<double>& own, const std::vector<double>& other, std::int64_t k, double step) {
    if (k >= 0) return own[static_cast<std::size_t>(k)];
    return 1.0 - std::exp(static_cast<double>(k) * step) * (1.0 - other[static_cast<std::size_t>(-k)]);
  }

  // Mass of the first law at j between the kept points i and k.
  [[nodiscard]] Approximate mass_at(std::int64_t i, std::int64_t j, std::int64_t k) const {
    if (j == 0 && i != kNone && k != kNone) {
      const double v = right_[0];
      const double above = (v - right_[static_cast<std::size_t>(k)]) / growth(k);
      const double below = (v - left_[static_cast<std::size_t>(-i)]) / growth(-i);
      return {1.0 - v - above - below, kRounding * (1.0 + v + std::fabs(above) + std::fabs(below))};
    }
    if (j >= 0) return side_mass(right_, left_, i, j, k);
    // The mirror image gives the mass under the second law, e^{-loss} times that of the first.
    const Approximate mirrored = side_mass(left_, right_, k == kNone ? kNone : -k, -j, i == kNone ? kNone : -i);
    const double ratio = std::exp(static_cast<double>(j) * step_);
    return {ratio * mirrored.value, ratio * (mirrored.error + 4.0 * kUnit * std::fabs(mirrored.value))};
  }

  // For j >= 0, in the coordinates of `own`; a missing k means flat from j on, a missing i cannot happen unless the
  // function has one point.
  [[nodiscard]] Approximate side_mass(const std::vector<double>& own, const std::vector<double>& other, std::int64_t i,
                                      std::int64_t j, std::int64_t k) const {
    if (i == kNone) return {0.0, 0.0};
    const double at_j = value(own, other, j, step_);
    const double before = value(own, other, i, step_) - at_j;
    const double after = k == kNone ? 0.0 : at_j - value(own, other, k, step_);
    const double growth_before = growth(j - i);
    Approximate mass = kink(before, after, growth_before, k == kNone ? 1.0 : growth(k - j));
    // A value taken across 0 by parity is off by a few units of 1.
    if (i < 0) mass.error += kRounding * (1.0 + 1.0 / growth_before);
    return mass;
  }

  double step_;
  double growth_;
  const std::vector<double>& right_;
  const std::vector<double>& left_;
  std::int64_t last_;
  std::int64_t first_;
  std::vector<std::int64_t> kept_;
};

}  // namespace

LossSamples::LossSamples(const LossPair& pair, double step, std::int64_t left, std::int64_t right)
    : step_(step),
      forward_(sampled(pair.forward, step, pair.symmetric ? std::max(left, right) : right)),
      backward_(pair.symmetric ? forward_ : sampled(pair.backward, step, left)) {}

LossSamples::Half LossSamples::sampled(const Profile& profile, double step, std::int64_t cells) {
  Half half;
  const std::size_t count = static_cast<std::size_t>(2 * cells + 2);
  std::vector<double> at(count);
  for (std::size_t i = 0; i < count; ++i) at[i] = static_cast<double>(i) * (step / 2.0);
  half.lower.resize(count);
  half.upper.resize(count);
  static_cast<void>(profile.deltas(at, half.lower, half.upper));
  half.limit = profile.delta(Epsilon(rounding::kInfinity)).lower();
  return half;
}

LossLattice LossSamples::lattice(Direction direction, Side side) const {
  const Half& right = direction == Direction::kForward ? forward_ : backward_;
  const Half& left = direction == Direction::kForward ? backward_ : forward_;
  return side == Side::kUpper ? upper_lattice(right, left) : lower_lattice(right, left);
}

namespace {

// A divergence never grows with its level: at most the smallest of the values so far, on the whole steps.
std::vector<double> falling(const std::vector<double>& values, std::int64_t cells, double start) {
  std::vector<double> result{start};
  for (std::int64_t k = 1; k <= cells; ++k)
    result.push_back(std::min(result.back(), values[static_cast<std::size_t>(2 * k)]));
  return result;
}

bool has_concave_kink(const std::vector<double>& values, double growth) {
  for (std::size_t k = 1; k < values.size(); ++k) {
    const double after = k + 1 < values.size() ? values[k] - values[k + 1] : 0.0;
    const Approximate mass = kink(values[k - 1] - values[k], after, growth, growth);
    if (mass.value < -mass.error) return true;
  }
  return false;
}

}  // namespace

LossLattice LossSamples::upper_lattice(const Half& right, const Half& left) const {
  const double growth = std::expm1(step_);
  const double start = std::min(1.0, std::min(right.upper[0], left.upper[0]));
  const std::vector<double> rights = falling(right.upper, right.cells(), start);
  const std::vector<double> lefts = falling(left.upper, left.cells(), start);
  const double up = (start - rights[1]) / growth;
  const double down = (start - lefts[1]) / growth;
  const Approximate middle{1.0 - start - up - down, kRounding * (1.0 + start + std::fabs(up) + std::fabs(down))};
  LossLattice result;
  if (middle.value < -middle.error || has_concave_kink(rights, growth) || has_concave_kink(lefts, growth)) {
    // The bound is no divergence of a pair; the greatest convex function below it is, and still holds (C7).
    result = Minorant(step_, rights, lefts).upper_lattice();
  } else {
    const std::vector<double> above = chord_masses(rights, growth);
    const std::vector<double> below = chord_masses(lefts, growth);
    result = {.step = step_, .first = -left.cells(), .infinite = rights.back()};
    result.mass.reserve(above.size() + below.size() + 1);
    for (std::size_t k = below.size(); k > 0; --k)
      result.mass.push_back(rounding::larger(
          kSmallestMass, below[k - 1] * (std::exp(-static_cast<double>(k) * step_) * (1.0 + kRounding))));
    result.mass.push_back(middle.upper());
    result.mass.insert(result.mass.end(), above.begin(), above.end());
  }
  double total = result.infinite;
  for (const double mass : result.mass) total += mass;
  // Adding up errs by a unit for each mass.
  result.log_total =
      std::log1p(rounding::larger(0.0, total - 1.0)) + kUnit * (static_cast<double>(result.mass.size()) + 4.0);
  return result;
}

std::vector<double> LossSamples::lowered(const Half& half, const Half& other) const {
  const auto cells = static_cast<std::size_t>(half.cells());
  const double root = std::exp(step_ / 2.0);
  const double to_middle = 1.0 / (root + 1.0);
  // The value half a step to the left of 0, by parity.
  const double before_first = 1.0 - (1.0 - other.upper[1]) / root + kRounding;
  // How far the divergence can sag below the chord of its lower ends, in each cell. On half a cell it lies above its
  // own chord minus a triangle under the extensions of its neighbours' chords.
  std::vector<double> sag(cells);
  for (std::size_t k = 0; k < cells; ++k) {
    const double* low = &half.lower[2 * k];
    const double* high = &half.upper[2 * k];
    const double left_of = k > 0 ? high[-1] : before_first;
    const double middle = std::max(0.0, low[0] + (low[2] - low[0]) * to_middle - low[1]);
    double worst = middle;
    const auto half_cell = [&](double before, double start, double end, double after, bool rises) {
      const double slope = end - start;
      const double e1 = std::max(0.0, slope - (start - before) * root);
      const double e2 = std::max(0.0, (after - end) / root - slope);
      if (e1 + e2 <= 0.0) return;
      const double where = e2 / (e1 + e2);
      worst = std::max(worst, middle * (rises ? where : 1.0 - where) + e1 * where);
    };
    half_cell(left_of, low[0], low[1], high[2], true);
    half_cell(high[0], low[1], low[2], high[3], false);
    sag[k] = worst * (1.0 + kRounding) + 2.0 * kRounding * low[0];
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

LossLattice LossSamples::lower_lattice(const Half& right, const Half& left) const {
  std::vector<double> above = lowered(right, left);
  std::vector<double> below = lowered(left, right);
  const double start = std::min(above[0], below[0]);
  LossLattice nothing{.step = step_, .first = 0, .mass = {0.0}, .infinite = right.limit};
  if (above.size() < 2 || below.size() < 2 || !(start > right.limit)) return nothing;
  above[0] = below[0] = start;
  if (!(start > left.limit)) return nothing;
  return Minorant(step_, above, below).lattice().value_or(nothing);
}

}  // namespace doeblin
