// SPDX-License-Identifier: Apache-2.0
#include "verify/composition/loss_atoms.hpp"

#include <algorithm>
#include <cmath>

namespace doeblin::verify {
namespace {

constexpr double kLargestLoss = 600.0;

// D_g(P||Q) at g = e^x for every real x.
Ball at_loss(const LatticePart& part, const Ball& x) {
  if (certainly_at_most(Ball(0), x)) return part.divergence(x);
  const Ball g = exp(x);
  return Ball(1) - g + g * part.opposite(-x);
}

// Beyond this the divergence falls by less than `tiny`: infinite losses stay.
double loss_reach(const Divergence& divergence, double tiny) {
  const Ball beyond = Ball(divergence(Ball(kLargestLoss)).upper()) + Ball(tiny);
  double high = 1.0 / 64.0;
  while (high < kLargestLoss && !certainly_less(divergence(Ball(high)), beyond)) high *= 2.0;
  double low = high / 2.0;
  for (int i = 0; i < 12 && high > 1.0 / 64.0; ++i) {
    const double middle = 0.5 * (low + high);
    (certainly_less(divergence(Ball(middle)), beyond) ? high : low) = middle;
  }
  if (high >= kLargestLoss) throw CannotCheck("losses of hundreds of nats");
  return high;
}

// A point that a convex function does not lie above.
struct Vertex {
  long index;  ///< of the loss on the grid
  Ball g, value;
  Ball slope_before = {};
};

// The greatest convex function through or below all points so far, of which only its vertices are kept. Leaving out a
// point that is about on the line of its neighbours raises it by no more than rounding does.
void add_vertex(std::vector<Vertex>& hull, Vertex next) {
  const auto slope = [&] { return (next.value - hull.back().value) / (next.g - hull.back().g); };
  next.slope_before = slope();
  while (hull.size() > 1 && !certainly_less(hull.back().slope_before, next.slope_before)) {
    hull.pop_back();
    next.slope_before = slope();
  }
  hull.push_back(std::move(next));
}

// A line that nowhere lies above the convex function.
struct Line {
  Ball slope;
  Ball at_zero;
};

// Through the point at x with the slope of the chord to a point very close on the right: above the function only
// between the two, by no more than the change of slope there times their distance, which is taken off.
Line tangent(const LatticePart& part, const Ball& x, const Ball& tiny) {
  const Ball left = x - tiny;
  const Ball right = x + tiny;
  const Ball g = exp(x);
  const Ball value = at_loss(part, x);
  const Ball to_right = (at_loss(part, right) - value) / (exp(right) - g);
  const Ball to_left = (value - at_loss(part, left)) / (g - exp(left));
  const Ball excess = absolute(to_right - to_left) * (exp(right) - g);
  // Exact numbers on the safe side: any slope will do as long as the line is low enough at both ends of its range.
  const Ball slope = to_right.low_end();
  const Ball spread = (to_right.high_end() - slope) * g;
  return {slope, (value - slope * g - excess - spread).low_end()};
}

}  // namespace

Reach reach_of(const LatticePart& part, double tiny) {
  if (part.largest_loss) return {-part.largest_loss->upper(), part.largest_loss->upper()};
  return {-loss_reach(part.opposite, tiny), loss_reach(part.divergence, tiny)};
}

Atoms upper_atoms(const LatticePart& part, const Reach& reach, double step) {
  Atoms atoms{.step = step, .first = static_cast<long>(std::floor(reach.low / step)) - 1};
  const long last = static_cast<long>(std::ceil(reach.high / step)) + 1;
  atoms.masses.resize(static_cast<std::size_t>(last - atoms.first) + 1);
  // From (0, 1) along the points, then flat: what is left there counts as infinite.
  std::vector<Vertex> hull = {{.index = 0, .g = Ball(0), .value = Ball(1), .slope_before = Ball(-HUGE_VAL)}};
  for (long k = atoms.first; k <= last; ++k) {
    const Ball x = Ball(static_cast<double>(k)) * Ball(step);
    add_vertex(hull, {.index = k, .g = exp(x), .value = at_loss(part, x).high_end()});
  }
  while (hull.size() > 1 && !certainly_less(hull.back().slope_before, Ball(0))) hull.pop_back();
  atoms.infinite = hull.size() > 1 ? hull.back().value : Ball(1);
  for (std::size_t i = 1; i < hull.size(); ++i) {
    const Ball slope_after = i + 1 < hull.size() ? hull[i + 1].slope_before : Ball(0);
    atoms.masses[static_cast<std::size_t>(hull[i].index - atoms.first)] =
        hull[i].g * (slope_after - hull[i].slope_before);
  }
  return atoms;
}

Atoms lower_atoms(const LatticePart& part, const Reach& reach, double step) {
  Atoms atoms{.step = step, .first = static_cast<long>(std::floor(reach.low / step)) - 1};
  const long last = static_cast<long>(std::ceil(reach.high / step)) + 1;
  atoms.masses.resize(static_cast<std::size_t>(last - atoms.first) + 2);
  Ball tiny(1);
  arb_mul_2exp_si(tiny.get(), tiny.get(), -precision() / 3);
  const Ball least = exp(Ball(-0.2 * static_cast<double>(precision())));
  Line before{Ball(-1), Ball(1)};
  Ball last_kink(0);
  const auto meet = [&](const Line& line) {
    const Ball kink = line.slope - before.slope;
    if (!certainly_less(least, kink)) return;
    const Ball g = ((before.at_zero - line.at_zero) / kink).low_end();
    // Lines that meet out of order are not both on the envelope: leaving one out lowers it.
    if (!certainly_less(last_kink, g)) return;
    last_kink = g;
    const Ball loss = log(g);
    const double nearest = std::round(loss.middle() / step);
    const auto index = static_cast<long>(nearest) - atoms.first;
    if (index >= 0 && index < static_cast<long>(atoms.masses.size())) {
      Ball& mass = atoms.masses[static_cast<std::size_t>(index)];
      mass = mass + (g * kink).low_end();
      atoms.below = max(atoms.below, (Ball(nearest) * Ball(step) - loss).high_end());
    }
    before = line;
  };
  for (long k = atoms.first; k < last; ++k) meet(tangent(part, Ball(static_cast<double>(k) + 0.5) * Ball(step), tiny));
  meet({Ball(0), Ball(0)});
  return atoms;
}

}  // namespace doeblin::verify
