// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/laplace_iteration.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// A chain may be left early: further steps only help. No double is smaller than e^kLaplaceFloor.
constexpr double kLaplaceFloor = -800.0;
constexpr std::size_t kMostChained = 10'000;

void require_alike(const HiddenRun& run) {
  if (!run.steps.is_homogeneous())
    throw InvalidArgument("schedule", "with other noise than Gaussian", "the same constants at every step");
}

// log [1 - e^{(level - moved)/2}]_+ from above: Laplace noise moved by `moved` scales.
double log_laplace(double level, const Bracket& moved) {
  if (std::isinf(moved.upper())) return 0.0;
  const Bracket gap = (level - moved) / 2.0;
  if (gap.lower() >= 0.0) return -kInfinity;
  return numerics::log(clamp(-numerics::expm1(gap), 0.0, 1.0)).upper();
}

double contracted_laplace(double log_delta, Epsilon epsilon, const Bracket& moved) {
  if (log_delta == -kInfinity) return log_delta;
  const Bracket ratio = numerics::log(numerics::expm1(Bracket(epsilon.value()))) - log_delta;
  const double level = std::max(0.0, numerics::log_add_exp(Bracket(0.0), ratio).lower());
  return rounding::add_up(log_delta, log_laplace(level, moved));
}

// Equal shifts a in the last k steps take a distance z, which has decayed until there, to 0:
// z c^k = a (1 + c + ... + c^{k-1}).
Bracket equal_shift(const Bracket& c, const Bracket& moved, double before, double k) {
  if (c.upper() == 0.0) return before + k > 1.0 ? Bracket(0.0) : moved;
  const Bracket log_c = numerics::log(c);
  const Bracket reduced = moved * numerics::exp(log_c * (before + k - 1.0));
  if (c.is_exact() && c.lower() == 1.0) return reduced / k;
  // (1 + c + ... + c^{k-1}) from below; it grows with c.
  const double low = c.lower();
  const Bracket sum = low == 1.0 ? Bracket(k)
                                 : numerics::expm1(numerics::log1p(Bracket(low) - 1.0) * k) /
                                       numerics::expm1(numerics::log1p(Bracket(low) - 1.0));
  return {0.0, rounding::div_up(reduced.upper(), std::max(1.0, sum.lower()))};
}

// One use and `steps` steps from it on, itself included.
double single_use_cost(const NoisyStep& step, double rounding, const Bracket& shift, double steps, Alpha alpha,
                       const NoiseDivergence& noise) {
  double best = kInfinity;
  // What rounding does is paid for in every step.
  const double rounded = rounding > 0.0 ? noise(alpha, Bracket(rounding)).upper() : 0.0;
  // In the last k steps, after the distance has shrunk, or in the first k, before it grows.
  const auto attempt = [&](double k) {
    for (const double before : {steps - k, 0.0}) {
      const Bracket moved = equal_shift(step.lipschitz, shift, before, k) / step.noise + rounding;
      best = std::min(best, rounding::add_up(rounding::mul_up(k, noise(alpha, moved).upper()),
                                             rounding::mul_up(steps - k, rounded)));
    }
  };
  for (double k = 1.0; k < steps; k = std::max(k + 1.0, std::floor(k * 1.25))) attempt(k);
  attempt(steps);
  return best;
}

}  // namespace

Bracket laplace_divergence(Alpha order, const Bracket& moved) {
  const double alpha = order.value();
  if (moved.upper() == 0.0) return Bracket(0.0);
  if (std::isinf(alpha)) return moved;
  const auto at = [alpha](double t) {
    const Bracket s = Bracket(alpha) - 1.0;
    const Bracket total = Bracket(alpha) + s;
    const Bracket rise = s * t;
    if (rise.upper() < 1.0)
      return numerics::log1p((alpha * numerics::expm1_minus(rise) + s * numerics::expm1_minus(-(alpha * Bracket(t)))) /
                             total) /
             s;
    return numerics::log_add_exp(numerics::log(alpha / total) + rise, numerics::log(s / total) - alpha * Bracket(t)) /
           s;
  };
  return {std::max(0.0, at(std::max(0.0, moved.lower())).lower()), std::min(at(moved.upper()).upper(), moved.upper())};
}

RenyiCurve shifted_renyi(std::shared_ptr<const HiddenRun> run, std::vector<Use> uses, std::size_t released,
                         NoiseDivergence noise) {
  require_alike(*run);
  const auto curve = [run = std::move(run), uses = std::move(uses), released, noise = std::move(noise)](Alpha alpha) {
    double total = 0.0;
    double last_steps = -1.0, last_cost = 0.0, last_shift = -1.0;
    for (std::size_t k = 0; k < uses.size(); ++k) {
      const std::size_t end = k + 1 < uses.size() ? uses[k + 1].step - 1 : released;
      const double steps = static_cast<double>(end - uses[k].step + 1);
      if (steps != last_steps || uses[k].shift.upper() != last_shift)
        last_cost = single_use_cost(run->steps.at(1), run->steps.rounding(), uses[k].shift, steps, alpha, noise);
      last_steps = steps, last_shift = uses[k].shift.upper();
      total = rounding::add_up(total, last_cost);
    }
    return Bracket(0.0, total);
  };
  return RenyiCurve(curve, {.tight = false, .single_pair = false});
}

double laplace_log_delta(const HiddenRun& run, const std::vector<Use>& uses, std::size_t released, Epsilon epsilon) {
  require_alike(run);
  if (uses.empty()) return -kInfinity;
  const NoisyStep& step = run.steps.at(1);
  const std::size_t later = released - uses.back().step;
  const bool is_bounded = std::isfinite(run.diameter);
  const double rounding = run.steps.rounding();
  const Bracket width = is_bounded ? step.lipschitz * run.diameter / step.noise + rounding : Bracket(0.0, kInfinity);
  const Bracket last = uses.back().shift / step.noise + rounding;
  double value = log_laplace(epsilon.value(), uses.size() == 1 ? last : width + last);
  if (is_bounded)
    for (std::size_t i = 0; i < std::min(later, kMostChained) && value > kLaplaceFloor; ++i) {
      const double next = contracted_laplace(value, epsilon, width);
      if (next == value) break;
      value = next;
    }
  if (uses.size() == 1 && later > 0) {
    // Roundings on the way are carried to the last step too; where maps expand, they are not followed.
    const Bracket reduced = uses[0].shift * run.steps.between(uses[0].step, released).decay / step.noise +
                            Bracket(rounding) * (static_cast<double>(later) + 1.0);
    if (rounding == 0.0 || run.steps.never_expands()) value = std::min(value, log_laplace(epsilon.value(), reduced));
  }
  return value;
}

}  // namespace doeblin
