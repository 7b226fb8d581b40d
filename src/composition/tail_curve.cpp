// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/tail_curve.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/rounding.hpp"
#include "doeblin/numerics/solve.hpp"

namespace doeblin {
namespace {

using rounding::kUnit;

// How far from its end a lower curve is looked at first, as a share of it, and how much further every time.
constexpr double kNearestLook = 0x1p-40;
constexpr double kLookFurther = 1.3;

}  // namespace

TailCurve::TailCurve(const TiltedLattice& lattice, Side side)
    : side_(side),
      step_(lattice.step),
      first_(static_cast<double>(lattice.first)),
      tilt_(lattice.tilt),
      log_scale_(lattice.log_scale),
      stray_(lattice.stray),
      infinite_(lattice.infinite),
      offset_(lattice.offset),
      discounted_(lattice.mass.size() + 1, 0.0),
      excess_(lattice.mass.size() + 1, 0.0) {
  const double r = std::exp(-tilt_ * step_);
  const double rq = std::exp(-(tilt_ + 1.0) * step_);
  const double one_minus_q = -std::expm1(-step_);
  for (std::size_t j = lattice.mass.size(); j > 0; --j) {
    discounted_[j - 1] = lattice.mass[j - 1] + rq * discounted_[j];
    // Sums that decayed below the normal numbers would slow everything down.
    const double excess = r * (excess_[j] + one_minus_q * discounted_[j]);
    excess_[j - 1] = excess < 1e-290 ? 0.0 : excess;
  }
}

double TailCurve::delta(double epsilon) const {
  if (offset_ == 0.0) return delta_above(epsilon);
  // delta falls in epsilon.
  return delta_above(side_ == Side::kUpper ? rounding::sub_down(epsilon, offset_) : rounding::sub_up(epsilon, offset_));
}

double TailCurve::delta_above(double epsilon) const {
  const double sign = side_ == Side::kUpper ? 1.0 : -1.0;
  const auto points = static_cast<double>(discounted_.size() - 1);
  double value = 0.0;
  // The first point above epsilon; when the quotient is rounded past it the formula still holds, up to rounding.
  const double index = std::clamp(std::floor(epsilon / step_) + 1.0 - first_, 0.0, points);
  const auto j = static_cast<std::size_t>(index);
  const double x = (first_ + index) * step_;
  // How far off an exponent log_scale - tilt y may be; from 1 on the masses may be anything.
  const auto doubt = [this](double y) { return 8.0 * kUnit * (std::fabs(log_scale_) + std::fabs(tilt_ * y)); };
  if (!(doubt(x) < 1.0)) return side_ == Side::kUpper ? 1.0 : infinite_;
  // Where exponentials leave the normal numbers their relative errors are no longer bounded.
  constexpr double kSmallestExponent = -690.0;
  if (log_scale_ - tilt_ * x < kSmallestExponent) {
    value = side_ == Side::kUpper ? std::exp(kSmallestExponent + 1.0) *
                                        (excess_[j] + discounted_[j] + discounted_[j > 0 ? j - 1 : 0] + 1e-200)
                                  : 0.0;
  } else {
    const double gap = -std::expm1(std::min(0.0, epsilon - x));
    const double sum = excess_[j] + gap * discounted_[j];
    const double exponent = log_scale_ - tilt_ * x;
    // Each of the remaining terms went through a product and a sum per point; the exponent went through three
    // roundings, which for a doubt below 1 change its exponential by less than the doubt.
    const double relative = kUnit * (8.0 * (points - index) + 16.0) + doubt(x);
    if (exponent > 700.0 && side_ == Side::kUpper) return 1.0;
    const double scale = std::exp(std::min(exponent, 700.0));
    // gap, and which point is the first, are known to 2 units of x; past the last point only that one can be missed.
    const double unsure = 8.0 * kUnit * (std::fabs(x) + 1.0);
    const bool is_past = j + 1 == discounted_.size() && epsilon > x - step_ + unsure;
    const double blur = (is_past ? 0.0 : unsure * discounted_[j > 0 ? j - 1 : 0]) + 1e-280;
    value = scale * rounding::larger(0.0, sum * (1.0 + sign * relative) + sign * blur);
  }
  if (side_ == Side::kLower) return std::clamp(rounding::add_down(infinite_, value), 0.0, 1.0);
  if (stray_ > 0.0) {
    // A stray mass at x > eps counts e^{-tilt (x - eps)} (1 - e^{eps - x}) <= 1/(1 + tilt).
    const double exponent = log_scale_ - tilt_ * epsilon;
    // Where the exponential is not a normal number, for instance at an epsilon of 1e300, one that is.
    const double relative = exponent < kSmallestExponent ? 1.0 : kUnit * 16.0 + doubt(epsilon);
    value += std::exp(std::clamp(exponent, kSmallestExponent, 700.0)) * stray_ / (1.0 + tilt_) * (1.0 + relative);
  }
  // Anything positive that a double cannot hold is rounded up to one that it can.
  return std::clamp(rounding::add_up(infinite_, value) + rounding::kSmallest, 0.0, 1.0);
}

double TailCurve::epsilon(double level) const {
  const auto at = [this](double epsilon) { return Bracket(std::isinf(epsilon) ? infinite_ : delta(epsilon)); };
  if (side_ == Side::kLower && !(delta(0.0) > level)) return last_seen_above(level);
  const Bracket crossing = numerics::first_at_most(at, level);
  return side_ == Side::kUpper ? crossing.upper() : crossing.lower();
}

// Below where the tilt looks, errors may outweigh a lower curve; delta falls, so that what is seen further out holds there.
double TailCurve::last_seen_above(double level) const {
  const double end = (first_ + static_cast<double>(discounted_.size())) * step_ + offset_;
  const auto is_above = [&](double epsilon) { return delta(epsilon) > level; };
  // The more a curve is tilted the less of it is seen, and that is next to the end.
  double before = 0.0;
  for (double distance = kNearestLook * end; distance < end; distance *= kLookFurther) {
    if (is_above(end - distance)) {
      const numerics::Sides<double> ends{.safe = end - distance, .unsafe = end - before};
      return numerics::narrowed(ends, is_above, numerics::Halving{.steps = 100, .width = 1e-14}).safe;
    }
    before = distance;
  }
  return 0.0;
}

}  // namespace doeblin
