// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_laplace.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "verify/mechanism/renyi.hpp"

namespace doeblin::verify {
namespace {

constexpr std::size_t kMostChained = 10'000;
constexpr double kNearZero = 1e-3;
// Plans that are computed, of those that look best.
constexpr std::size_t kComputedPlans = 3;

// [1 - e^{(x - moved)/2}]_+: Laplace noise moved by so many scales (P2).
Ball laplace_delta(const Ball& x, const Ball& moved) {
  if (!moved.is_finite()) return Ball(1);
  return positive_part(-expm1((x - moved) / Ball(2))).high_end();
}

bool is_gone(const Ball& delta) {
  return arb_is_zero(delta.get()) || arf_cmpabs_2exp_si(arb_midref(delta.get()), -1155) < 0;
}

// d [1 - e^{(log(1 + (g-1)/d) - moved)/2}]_+, increasing in d.
Ball laplace_contracted(const Ball& d, const Ball& epsilon, const Ball& moved) {
  const Ball level = log1p(expm1(epsilon.low_end()) / d).low_end();
  return min(d * laplace_delta(level, moved), d).high_end();
}

// By contraction: started from what the last use moves, with the whole domain on top if there are other uses.
Ball direct_delta(const LaplaceRun& run, const Ball& epsilon) {
  const WithPrecision bits(kRunBits);
  const Ball width = run.diameter.is_finite() ? run.lipschitz * run.diameter + run.rounding : Ball(kInfinity);
  const Ball last = run.shift + run.rounding;
  const std::size_t later = run.released - run.uses.back();
  Ball delta = laplace_delta(epsilon.low_end(), run.uses.size() == 1 ? last : width + last);
  if (width.is_finite())
    for (std::size_t i = 0; i < std::min(later, kMostChained) && !is_gone(delta); ++i) {
      Ball next = laplace_contracted(delta, epsilon, width);
      if (arb_equal(next.get(), delta.get())) break;
      delta = std::move(next);
    }
  const bool never_expands = certainly_at_most(run.lipschitz, Ball(1));
  if (run.uses.size() == 1 && later > 0 && (never_expands || arb_is_zero(run.rounding.get()))) {
    // Carried to the last step unpaid, with a rounding for each step on the way.
    const Ball reduced =
        run.shift * power(run.lipschitz, later) + run.rounding * Ball(static_cast<double>(later) + 1.0);
    delta = min(delta, laplace_delta(epsilon.low_end(), reduced));
  }
  return delta;
}

// Equal moves in k of the `steps` steps that a use has for itself: the last k of them, or the first.
struct Plan {
  std::size_t k = 1;
  bool is_first = false;
};

// z c^k = a (1 + c + ... + c^{k-1}), where the distance z has already decayed.
Ball move_of(const LaplaceRun& run, std::size_t steps, const Plan& plan) {
  const std::size_t before = plan.is_first ? 0 : steps - plan.k;
  return run.shift * power(run.lipschitz, before + plan.k - 1) / geometric_sum(run.lipschitz, plan.k) + run.rounding;
}

// The Renyi divergence of moved Laplace noise, in plain numbers.
double renyi_estimate(double alpha, double moved) {
  const double s = alpha - 1.0;
  if (std::isinf(s)) return moved;
  if (s * moved < 1e-4) return alpha * moved * moved / 2.0;
  const double high = std::log(alpha / (2.0 * alpha - 1.0)) + s * moved;
  return (high + std::log1p(s / alpha * std::exp(-(2.0 * alpha - 1.0) * moved))) / s;
}

// log[alpha/(2 alpha - 1) e^{(alpha-1) t} + (alpha-1)/(2 alpha - 1) e^{-alpha t}]/(alpha - 1)
Ball renyi_divergence(const Ball& alpha, const Ball& moved) {
  if (arb_is_zero(moved.get())) return Ball(0);
  const Ball s = alpha - Ball(1), total = alpha + s;
  return log1p((alpha * expm1(s * moved) + s * expm1(-(alpha * moved))) / total) / s;
}

struct Planned {
  Plan plan;
  double move;  ///< about
  double cost = kInfinity;
};

// As many uses have so many steps for themselves.
struct Room {
  std::size_t steps;
  double uses;
  std::vector<Planned> plans;
};

std::vector<Planned> plans_for(const LaplaceRun& run, std::size_t steps) {
  std::vector<Planned> all;
  const auto add = [&](std::size_t k) {
    for (const bool is_first : {false, true})
      all.push_back({{k, is_first}, move_of(run, steps, {k, is_first}).middle()});
  };
  for (std::size_t k = 1; k < steps; k = std::max(k + 1, static_cast<std::size_t>(static_cast<double>(k) * 1.25)))
    add(k);
  add(steps);
  return all;
}

std::vector<Room> rooms_of(const LaplaceRun& run) {
  std::map<std::size_t, double> uses;
  for (std::size_t k = 0; k < run.uses.size(); ++k)
    uses[(k + 1 < run.uses.size() ? run.uses[k + 1] - 1 : run.released) - run.uses[k] + 1] += 1.0;
  std::vector<Room> rooms;
  rooms.reserve(uses.size());
  for (const auto& [steps, count] : uses) rooms.push_back({steps, count, plans_for(run, steps)});
  return rooms;
}

// The plans with the smallest divergence of an order, best first.
std::vector<Planned> best_plans(const LaplaceRun& run, const Room& room, double alpha) {
  std::vector<Planned> all = room.plans;
  const double rounding = run.rounding.middle();
  const double idle = rounding > 0.0 ? renyi_estimate(alpha, rounding) : 0.0;
  for (Planned& one : all)
    one.cost = static_cast<double>(one.plan.k) * renyi_estimate(alpha, one.move) +
               static_cast<double>(room.steps - one.plan.k) * idle;
  const std::size_t count = std::min(all.size(), kComputedPlans);
  std::partial_sort(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count), all.end(),
                    [](const Planned& x, const Planned& y) { return x.cost < y.cost; });
  all.resize(count);
  return all;
}

// Divergences of the steps add up (I15); every use is paid for before the next.
Ball shifted_renyi(const LaplaceRun& run, const std::vector<Room>& rooms, const Ball& alpha) {
  Ball total(0);
  for (const Room& room : rooms) {
    std::optional<Ball> least;
    for (const Planned& planned : best_plans(run, room, alpha.middle())) {
      const Plan& plan = planned.plan;
      const Ball cost = Ball(static_cast<double>(plan.k)) * renyi_divergence(alpha, move_of(run, room.steps, plan)) +
                        Ball(static_cast<double>(room.steps - plan.k)) * renyi_divergence(alpha, run.rounding);
      least = least ? min(*least, cost) : cost;
    }
    total = total + Ball(room.uses) * *least;
  }
  return total;
}

// No loss is larger than all moves together.
struct PureLoss {
  Ball total;
  Ball largest;  // one of the moves
};

PureLoss pure_loss(const LaplaceRun& run, const std::vector<Room>& rooms) {
  PureLoss all{Ball(0), Ball(0)};
  for (const Room& room : rooms) {
    const Plan plan = best_plans(run, room, kInfinity)[0].plan;
    const Ball moved = move_of(run, room.steps, plan);
    const Ball loss =
        Ball(static_cast<double>(plan.k)) * moved + Ball(static_cast<double>(room.steps - plan.k)) * run.rounding;
    all = {all.total + Ball(room.uses) * loss, max(all.largest, moved)};
  }
  return all;
}

// All moves but the largest are (P - m)-DP, and the largest has delta [1 - e^{(x - m)/2}]_+ at x = epsilon - (P - m).
Ball nearly_pure_delta(const PureLoss& pure, const Ball& epsilon) {
  const Ball rest = epsilon - (pure.total - pure.largest);
  return certainly_at_most(Ball(0), rest) ? laplace_delta(rest, pure.largest) : Ball(1);
}

}  // namespace

Known known_laplace_run(const LaplaceRun& run) {
  const auto rooms = rooms_of(run);
  const PureLoss pure = pure_loss(run, rooms);
  const auto curve = [run, rooms](const Ball& alpha) { return shifted_renyi(run, rooms, alpha); };
  const auto at = [=](const Ball& epsilon) {
    if (certainly_at_most(pure.total, epsilon)) return Ball(0);
    const Ball direct = min(direct_delta(run, epsilon), nearly_pure_delta(pure, epsilon)).high_end();
    // A conversion only says more where delta is neither 0 nor too small for any double.
    return is_gone(direct) ? direct : min(direct, best_renyi_delta(curve, epsilon).high_end());
  };
  Known known;
  known.pure = pure.total;
  known.renyi = curve;
  known.delta = [at](const Ball& epsilon) {
    const Ball delta = at(epsilon);
    // Further out delta can only be smaller, whatever a conversion next to 0 loses.
    const bool is_near_0 = certainly_less(epsilon, Ball(kNearZero));
    return Enclosed{is_near_0 && !is_gone(delta) ? min(delta, at(Ball(0))) : delta, Ball(0)};
  };
  return known;
}

}  // namespace doeblin::verify
