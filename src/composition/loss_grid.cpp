// SPDX-License-Identifier: Apache-2.0
#include "composition/loss_grid.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/solve.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// The first point, up to a few percent, where `small_enough` holds; 2^9 when there is none below it.
template <typename Predicate>
double first_point(const Predicate& small_enough) {
  const auto sides = numerics::grown(0x1p-60, 4.0, 0x1p8, small_enough);
  return sides ? numerics::narrowed(*sides, small_enough, numerics::LogHalving{.ratio = 1.03}).safe : 0x1p9;
}

// The part with the largest finite total loss; null when there is none.
const LossPart* largest_bounded_part(const std::vector<LossPart>& parts) {
  const LossPart* largest = nullptr;
  double most = 0.0;
  for (const LossPart& part : parts) {
    const double total = part.pairs.dominating->forward.traits().loss_bound * part.count;
    if (std::isfinite(total) && total > most) most = total, largest = &part;
  }
  return largest;
}

}  // namespace

double at(const Profile& profile, double epsilon) { return profile.delta(Epsilon(epsilon)).upper(); }

const Profile& own_profile(const LossPair& pair, Direction direction) {
  return direction == Direction::kForward ? pair.forward : pair.backward;
}

Ends ends_of(const Profile& forward, const Profile& backward, double tilt, double right_mass, double left_mass) {
  const double limit = at(forward, kInfinity);
  Ends ends{.left = first_point([&](double x) { return at(backward, x) * std::exp(-(1.0 + tilt) * x) <= left_mass; }),
            .right = first_point([&](double x) { return at(forward, x) <= limit + right_mass; })};
  ends.right = std::min(ends.right, forward.traits().loss_bound);
  ends.left = std::min(ends.left, backward.traits().loss_bound);
  return ends;
}

double short_step(double step) {
  int exponent = 0;
  const double mantissa = std::frexp(step, &exponent);
  return std::ldexp(std::floor(mantissa * 0x1p30) * 0x1p-30, exponent);
}

// The lower lattice can only move its highest loss down,
// and needs a grid point that is below that loss by more than the divergence may sag there: with an atom of mass a and
// a density c next to it, by step^2 c/(4 a).
double aligned_step(const std::vector<LossPart>& parts, double step) {
  const LossPart* part = largest_bounded_part(parts);
  if (!part) return short_step(step);
  const Profile& profile = part->pairs.dominating->forward;
  const double bound = profile.traits().loss_bound;
  if (!(bound < 0x1p20 * step)) return short_step(step);
  const double cells = std::ceil(bound / step);
  const double even = bound / cells;
  const double near = 0x1p-10 * even;
  const double limit = at(profile, bound);
  const double atom = (at(profile, bound - near) - limit) / near;
  const double density = 2.0 * std::max(0.0, at(profile, bound - even) - limit - atom * even) / (even * even);
  const double below = atom > 0.0 ? std::min(0.4 * even * even * density / atom, 0.25 * even) : 0.0;
  return short_step((bound - below) / cells);
}

std::int64_t steps_to(double end, double step) {
  return std::max<std::int64_t>(1, std::llround(std::ceil(end / step)));
}

}  // namespace doeblin
