// SPDX-License-Identifier: Apache-2.0
#include "composition/graded_samples.hpp"

#include <algorithm>
#include <cmath>

#include "composition/sampled_divergence.hpp"

namespace doeblin {
namespace {

// Cells are this share of the distance from 0 at most, and of the size of typical losses near 0.
constexpr double kRelativeWidth = 0x1p-5;
// An atom at the end of a bounded law is met to this share of a typical loss.
constexpr double kEdgeWidth = 0x1p-17;

Grading grading_of(const LossPair& pair, double left, double right, double widest, int finer) {
  const double scale = std::ldexp(1.0, -finer);
  // D_1 is the mean of (1 - e^{-L})_+.
  const double typical = std::clamp(pair.forward.delta(Epsilon(0.0)).upper(), 0x1p-40, 1.0);
  Grading result{.end = std::max(left, right),
                 .finest = typical * kRelativeWidth * scale,
                 .widest = widest * scale,
                 .relative = kRelativeWidth * scale,
                 .finest_at_edge = typical * kEdgeWidth * scale};
  for (const Profile* profile : {&pair.forward, &pair.backward}) {
    const double bound = profile->traits().loss_bound;
    if (bound > 0.0 && bound < 0x1p8) result.edges.push_back(bound);
  }
  return result;
}

}  // namespace

GradedSamples::GradedSamples(const LossPair& pair, double left, double right, double widest, int finer)
    : grid_(grading_of(pair, left, right, widest, finer)) {
  if (!is_usable()) return;
  forward_ =
      chords::sampled(pair.forward, grid_.halves(grid_.cells_to(pair.symmetric ? std::max(left, right) : right)));
  backward_ = pair.symmetric ? forward_ : chords::sampled(pair.backward, grid_.halves(grid_.cells_to(left)));
}

ScatteredLosses GradedSamples::losses(Direction direction, Side side) const {
  const DivergenceSamples& right = direction == Direction::kForward ? forward_ : backward_;
  const DivergenceSamples& left = direction == Direction::kForward ? backward_ : forward_;
  LossLattice found =
      side == Side::kUpper ? chords::upper_lattice(grid_, right, left) : chords::lower_lattice(grid_, right, left);
  ScatteredLosses result{.mass = std::move(found.mass), .infinite = found.infinite, .log_total = found.log_total};
  result.loss.reserve(result.mass.size());
  for (std::size_t k = 0; k < result.mass.size(); ++k)
    result.loss.push_back(grid_.point(found.first + static_cast<std::int64_t>(k)));
  return result;
}

double log_moment_of(const ScatteredLosses& losses, double tilt) {
  double peak = -rounding::kInfinity;
  for (std::size_t k = 0; k < losses.loss.size(); ++k)
    if (losses.mass[k] > 0.0) peak = std::max(peak, std::log(losses.mass[k]) + tilt * losses.loss[k]);
  if (std::isinf(peak)) return peak;
  double sum = 0.0;
  for (std::size_t k = 0; k < losses.loss.size(); ++k)
    if (losses.mass[k] > 0.0) sum += losses.mass[k] * std::exp(tilt * losses.loss[k] - peak);
  return std::log(sum) + peak;
}

}  // namespace doeblin
