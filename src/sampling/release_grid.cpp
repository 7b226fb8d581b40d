// SPDX-License-Identifier: Apache-2.0
#include "doeblin/sampling/release_grid.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/rounding.hpp"
#include "doeblin/core/whole.hpp"

namespace doeblin::sampling {
namespace {

// Doubles below this many steps are exact, and stay so when a step is halved.
constexpr int kValueBits = 52;
constexpr int kNoiseBits = 47;
constexpr int kFineBits = 40;
// Without bounds, room for values of 2^28 times the noise.
constexpr int kFineBitsUnbounded = 24;
// A coarser grid would be felt in the guarantee.
constexpr int kLeastBits = 10;

std::string parameter(const ColumnLimits& limits, const char* what) {
  return fmt::format("{} of {}", what, limits.name);
}

// The cells one person is in, as they enter a distance: their root for Euclidean ones.
struct Spread {
  double up;
  double down;
};
Spread spread_of(LatticeLaw law, double cells) {
  if (law == LatticeLaw::kLaplace) return {cells, cells};
  const double root = std::sqrt(cells);
  return {rounding::mul_down(root, root) >= cells ? root : rounding::next_up(root),
          rounding::mul_up(root, root) <= cells ? root : rounding::next_down(root)};
}

// A multiple of 2^-52, so that the product with 2^62 is a whole number.
double multiplier(double decay) {
  return decay == 1.0 ? 1.0
                      : std::clamp(std::ldexp(std::nearbyint(std::ldexp(decay, 52)), -52), 0x1p-52, 1.0 - 0x1p-52);
}

}  // namespace

void ColumnLimits::validate() const {
  if (!bounds && !sensitivity)
    throw InvalidArgument(fmt::format("column '{}': neither bounds nor sensitivity are declared", name));
  if (bounds) {
    require(std::isfinite(bounds->low), parameter(*this, "lower bound"), bounds->low, "a finite bound");
    require(std::isfinite(bounds->high) && bounds->high > bounds->low, parameter(*this, "upper bound"), bounds->high,
            "a finite bound above the lower one");
    require(std::isfinite(bounds->high - bounds->low), parameter(*this, "upper bound"), bounds->high,
            "bounds whose difference a double can hold");
  }
  if (sensitivity)
    require(*sensitivity > 0.0 && std::isfinite(*sensitivity), parameter(*this, "sensitivity"), *sensitivity,
            "0 < sensitivity < infinity");
}

void ReleaseNoise::validate() const {
  ensure(!path.empty(), "at least one release");
  for (const PathStep& step : path) {
    require(step.deviation > 0.0 && std::isfinite(step.deviation), "noise", step.deviation, "0 < noise < infinity");
    require(step.decay > 0.0 && step.decay <= 1.0, "decay", step.decay, "0 < decay <= 1, as a double");
  }
  if (rows_per_person) require_whole("rows per person", *rows_per_person, 1.0, 0x1p40, "an integer, 1 <= rows <= 2^40");
}

ColumnPlan plan_column(const ColumnLimits& limits, const ReleaseNoise& noise) {
  limits.validate();
  noise.validate();
  const double cells = noise.rows_per_person.value_or(limits.sensitivity ? kMostRows : 1.0);
  const Spread spread = spread_of(noise.law, cells);
  const double range = limits.bounds ? limits.bounds->high - limits.bounds->low : 0.0;
  const double unit = limits.sensitivity.value_or(range * spread.up);
  double least = unit;
  double most = 0.0;
  for (const PathStep& step : noise.path) {
    least = std::min(least, step.deviation * unit);
    most = std::max(most, step.deviation * unit);
  }
  require(std::isfinite(most) && least > 0x1p-900 && most < 0x1p900, parameter(limits, "noise"), most,
          "noise between 2^-900 and 2^900");
  const double extent = limits.bounds ? std::max(std::fabs(limits.bounds->low), std::fabs(limits.bounds->high)) : 0.0;

  int exponent = std::ilogb(least) - (limits.bounds ? kFineBits : kFineBitsUnbounded);
  if (limits.bounds && extent > 0.0) exponent = std::max(exponent, std::ilogb(extent) + 1 - kValueBits);
  exponent = std::max(exponent, std::ilogb(most) + 1 - kNoiseBits);
  if (std::ilogb(least) - exponent < kLeastBits)
    throw InvalidArgument(
        fmt::format("column '{}': no grid holds values up to {} and noise up to {} and resolves {}, need ratios below "
                    "2^40 and 2^35",
                    limits.name, format_exact(extent), format_up(most), format_down(least)));

  const double step = std::ldexp(1.0, exponent);
  ColumnPlan plan{.name = limits.name,
                  .grid = {.exponent = exponent, .sensitivity = 0.0, .attained = 0.0, .cells = cells, .path = {}},
                  .low = limits.bounds ? limits.bounds->low : -std::ldexp(step, kValueBits),
                  .high = limits.bounds ? limits.bounds->high : std::ldexp(step, kValueBits),
                  .is_bounded = limits.bounds.has_value(),
                  .centre = 0,
                  .sensitivity = unit,
                  .steps_per_unit = std::ldexp(1.0, -exponent)};
  GridColumn& grid = plan.grid;
  if (limits.bounds) {
    // Clipped values lie between the grid points of the bounds.
    const auto distance = static_cast<double>(plan.rounded(plan.high) - plan.rounded(plan.low));
    grid.sensitivity = rounding::mul_up(distance, spread.up);
    // Laplace noise on one cell that moves far tells more than on several that move as far together: only the first is
    // certain to be attained.
    grid.attained = noise.law == LatticeLaw::kGaussian ? rounding::mul_down(distance, spread.down) : distance;
    plan.centre = plan.rounded(plan.low + range / 2.0);
  }
  if (limits.sensitivity) {
    // Reading the number and rounding it to the grid move a cell by at most half a step each, in both datasets.
    const double declared = std::ldexp(*limits.sensitivity, -exponent);
    const double sensitivity = rounding::add_up(declared, rounding::mul_up(2.0, spread.up));
    const double attained = std::max(0.0, rounding::sub_down(declared, 2.0));
    grid.sensitivity = limits.bounds ? std::min(grid.sensitivity, sensitivity) : sensitivity;
    grid.attained = limits.bounds ? std::min(std::floor(grid.attained / spread.up), attained) : attained;
    if (rounding::mul_up(2.0, spread.up) > std::ldexp(declared, -kLeastBits))
      throw InvalidArgument(fmt::format(
          "column '{}': one person may be in {} rows, and rounding so many cells to the grid is felt; declare "
          "{}fewer rows per person",
          limits.name, cells, limits.bounds ? "" : "bounds or "));
  }
  for (const PathStep& one : noise.path) {
    const double steps = std::ldexp(one.deviation * unit, -exponent);
    // Between 2^-13 and 2^-12 of the noise.
    grid.path.push_back({.multiplier = multiplier(one.decay),
                         .noise = steps,
                         .published = std::ldexp(1.0, std::max(0, std::ilogb(steps) - 12))});
  }
  return plan;
}

std::int64_t ColumnPlan::rounded(double x) const {
  // Scaling by a power of two and taking the whole part are exact, so this is floor(x/step + 1/2) without rounding:
  // two numbers D steps apart have grid points at most ceil(D) apart.
  const double scaled = x * steps_per_unit;
  const double whole = std::floor(scaled);
  return static_cast<std::int64_t>(whole) + (scaled - whole >= 0.5 ? 1 : 0);
}

int ColumnPlan::coarse_bits(std::size_t release) const { return std::ilogb(grid.path[release].published); }

double ColumnPlan::value_of(std::int64_t steps, std::size_t release) const {
  const int bits = coarse_bits(release);
  const std::int64_t half = bits > 0 ? std::int64_t{1} << (bits - 1) : 0;
  return std::ldexp(static_cast<double>((steps + half) >> bits), grid.exponent + bits);
}

}  // namespace doeblin::sampling
