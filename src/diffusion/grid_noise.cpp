// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/grid_noise.hpp"

#include <cmath>

#include "doeblin/core/error.hpp"
#include "doeblin/iteration/shift.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

void validate(const GridColumn& column, std::size_t number) {
  ensure(number >= 1 && number <= column.path.size(), "a release of the path");
  ensure(column.cells >= 1.0 && column.sensitivity >= column.attained && column.attained >= 0.0,
         "a column that somebody is in");
  for (const GridTransition& step : column.path) {
    ensure(step.multiplier > 0.0 && step.multiplier <= 1.0, "a multiplier in (0, 1]");
    require(step.noise >= 0x1p7 && std::isfinite(step.noise), "noise", step.noise, "at least 2^7 steps of the grid");
  }
}

// What one rounding of a product can add to the distance of two paths: less than a step in every cell.
Bracket rounding_of(const GridColumn& column, const GridTransition& step) {
  return step.multiplier == 1.0 ? Bracket(0.0) : numerics::sqrt(Bracket(column.cells));
}

// 4 w phi(a) e^{w (|a| + w)} (e^{mu w} - 1) with a = eps/mu - mu/2: see delta(). phi(0) < 0.4.
double blurred(const Bracket& mu, double blur, double epsilon) {
  if (!(mu.lower() > 0.0)) return 1.0;
  const Bracket a = epsilon / mu - mu / 2.0;
  const double size = std::max(std::fabs(a.lower()), std::fabs(a.upper()));
  // The square of the end that is nearer to 0, for the larger density.
  const double near = a.lower() <= 0.0 && a.upper() >= 0.0 ? 0.0 : std::min(std::fabs(a.lower()), std::fabs(a.upper()));
  const Bracket exponent = Bracket(blur) * (Bracket(size) + blur) - Bracket(near) * near / 2.0;
  const Bracket lost = 1.6 * Bracket(blur) * numerics::exp(exponent) * numerics::expm1(mu * blur);
  return lost.upper();
}

// I2 on the column's path. A shift must be a whole number of steps: what is left of it, less than a step in every
// cell, meets the next noise.
double upper_level(const GridColumn& column, std::size_t number) {
  std::vector<NoisyStep> steps;
  std::vector<Use> uses;
  const Bracket cell_steps = numerics::sqrt(Bracket(column.cells));
  for (std::size_t i = 1; i <= number; ++i) {
    const GridTransition& step = column.path[i - 1];
    const Bracket noise = numerics::sqrt(Bracket(step.noise) * step.noise - kSmoothing);
    steps.push_back({.lipschitz = Bracket(step.multiplier), .noise = noise});
    const Bracket arriving = i == 1 ? Bracket(column.sensitivity) : cell_steps;
    uses.push_back({.step = i, .shift = step.multiplier * arriving + rounding_of(column, step)});
  }
  return shift_level(NoisySteps(std::move(steps)), uses, rounding::kInfinity, number).upper();
}

// The level without any rounding, and what all of the roundings can change in total variation: a normal law whose mean
// moves by half a step in every cell changes by at most (sqrt(cells)/2)/(noise sqrt(2 pi)).
struct AttainedLevel {
  double level;
  double slack;
  double blur_square;  ///< half a published step in every cell, in units of the noise
};
AttainedLevel lower_level(const GridColumn& column, std::size_t number) {
  Bracket distance(column.attained);
  Bracket variance(0.0);
  double slack = 0.0;
  for (std::size_t i = 0; i < number; ++i) {
    const GridTransition& step = column.path[i];
    const Bracket square = Bracket(step.multiplier) * step.multiplier;
    variance = square * variance + Bracket(step.noise) * step.noise;
    distance = distance * step.multiplier;
    slack =
        rounding::add_up(slack, rounding::div_up(rounding::mul_up(0.2, rounding_of(column, step).upper()), step.noise));
  }
  const Bracket published = Bracket(column.path[number - 1].published);
  const Bracket blur_square = column.cells * published * published / 4.0 / variance;
  return {(distance / numerics::sqrt(variance + kSmoothing)).lower(), slack, blur_square.upper()};
}

}  // namespace

GridLevel gaussian_grid_level(const GridRelease& release, std::size_t number) {
  ensure(release.law == LatticeLaw::kGaussian && !release.columns.empty(), "a Gaussian release of some columns");
  Bracket low_square(0.0);
  Bracket high_square(0.0);
  double slack = 0.0;
  double blur_square = 0.0;
  for (const GridColumn& column : release.columns) {
    validate(column, number);
    const double high = upper_level(column, number);
    const auto [low, more_slack, more_blur] = lower_level(column, number);
    high_square = high_square + Bracket(high) * high;
    low_square = low_square + Bracket(low) * low;
    slack = rounding::add_up(slack, more_slack);
    blur_square = rounding::add_up(blur_square, more_blur);
  }
  const double high = rounding::mul_up(numerics::sqrt(high_square).upper(), 1.0 + kSmoothingCharge);
  const double low = rounding::mul_down(numerics::sqrt(low_square).lower(), 1.0 - kSmoothingCharge);
  require(high >= kLeastLevel && high <= kMostLevel, "mu", high,
          "1e-300 <= mu <= 100, that is noise of at least a hundredth of the sensitivity");
  const double middle = low + (high - low) / 2.0;
  const double error = std::max(rounding::sub_up(high, middle), rounding::sub_up(middle, low));
  return {Gdp{numerics::Wide(middle, 0.0, error)}, slack, numerics::sqrt(Bracket(blur_square)).upper()};
}

Bracket delta(const GridLevel& level, Epsilon epsilon) {
  const Bracket plain = delta(level.gdp, epsilon);
  if (plain.lower() == 0.0) return plain;
  // |D(P||Q) - D(P'||Q')| <= TV(P, P') + e^epsilon TV(Q, Q').
  const double change =
      rounding::mul_up(level.slack, rounding::add_up(1.0, numerics::exp(Bracket(epsilon.value())).upper()));
  const double lost = rounding::add_up(change, blurred(enclose(level.gdp.mu), level.blur, epsilon.value()));
  return {std::max(0.0, rounding::sub_down(plain.lower(), lost)), plain.upper()};
}

ProfileTraits profile_traits(const GridLevel&) { return {.tight = true}; }

Bracket laplace_grid_level(const GridColumn& column) {
  ensure(column.path.size() == 1 && column.path[0].multiplier == 1.0, "a path of one step");
  ensure(column.sensitivity >= column.attained && column.attained >= 0.0, "a column that somebody is in");
  const double scale = column.path[0].noise;
  const double attained = rounding::sub_down(column.attained, 4.0 * column.path[0].published);
  return {std::max(0.0, rounding::div_down(attained, scale)),
          rounding::div_up(rounding::add_up(column.sensitivity, 2.0), scale)};
}

}  // namespace doeblin
