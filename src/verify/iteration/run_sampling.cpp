// SPDX-License-Identifier: Apache-2.0
#include "verify/iteration/run_sampling.hpp"

#include <algorithm>
#include <cmath>

#include "verify/iteration/run_known.hpp"
#include "verify/iteration/run_steps.hpp"
#include "verify/subsampling/normal_mixture.hpp"

namespace doeblin::verify {
namespace {

// Losses of a single step beyond this are bounded by Gaussian mechanisms.
constexpr double kLargestJump = 12.0;

// What each of the last `tail` steps has to move so that the distance which the steps before built up is gone in the
// end: z c^tail = a (1 + c + ... + c^{tail-1}).
Ball move_of(const PoissonRun& run, std::size_t tail) {
  const std::size_t before = run.steps - tail;
  if (before == 0 || arb_is_zero(run.lipschitz.get())) return run.rounding;
  const Ball built_up = (run.jump + run.rounding) * geometric_sum(run.lipschitz, before);
  const Ball distance = run.diameter.is_finite() ? min(run.diameter, built_up) : built_up;
  return distance * power(run.lipschitz, tail) / geometric_sum(run.lipschitz, tail) + run.rounding;
}

// Second-order: the chi-square divergences of the steps, as logs, added up.
double estimated_loss(const PoissonRun& run, std::size_t tail) {
  const double a = move_of(run, tail).middle();
  const double b = a + run.jump.middle();
  const double q = run.rate.middle();
  if (!(b < 20.0)) return kInfinity;
  const double excess =
      (1.0 - q) * (1.0 - q) * std::expm1(a * a) + 2.0 * q * (1.0 - q) * std::expm1(a * b) + q * q * std::expm1(b * b);
  return static_cast<double>(tail) * std::log1p(excess);
}

std::vector<std::size_t> promising_tails(const PoissonRun& run) {
  std::vector<std::size_t> tails{run.steps};
  if (run.is_public) return tails;
  const double whole = estimated_loss(run, run.steps);
  std::size_t best = run.steps;
  double least = whole;
  for (std::size_t tail = 1; tail < run.steps;
       tail = std::max(tail + 1, static_cast<std::size_t>(std::floor(static_cast<double>(tail) * 1.05))))
    if (const double value = estimated_loss(run, tail); value < least) least = value, best = tail;
  // Failures are charged to tails only, so with them the whole run may win in spite of its loss.
  if (least < 0.25 * whole && !certainly_less(Ball(0), run.failure)) tails.clear();
  if (best < run.steps && least < 0.98 * whole)
    for (const double factor : {1.0, 0.6, 1.6}) {
      const double tail =
          std::clamp(std::round(static_cast<double>(best) * factor), 1.0, static_cast<double>(run.steps));
      if (std::find(tails.begin(), tails.end(), static_cast<std::size_t>(tail)) == tails.end())
        tails.push_back(static_cast<std::size_t>(tail));
    }
  return tails;
}

// The mixture is at least as private as its worse part.
Known gaussian_bound(const PoissonRun& run) {
  std::optional<Ball> level;
  for (const std::size_t tail : {run.steps, (run.steps + 1) / 2, std::size_t{1}}) {
    if (tail < run.steps && (run.is_public || !arb_is_zero(run.failure.get()))) continue;
    const Ball one = (move_of(run, tail) + run.jump) * sqrt(Ball(static_cast<double>(tail)));
    level = level ? min(*level, one) : one;
  }
  const Ball all = *level * sqrt(Ball(run.tasks));
  Known known;
  known.delta = [all](const Ball& epsilon) { return Enclosed{profile_at(epsilon, all), Ball(0)}; };
  return known;
}

// (1-p) N(a, 1) + p N(a + jump, 1) against N(0, 1), and the reverse.
Known sampled_step(const Ball& a, const PoissonRun& run) {
  const ShiftedMixture moved{{Ball(1) - run.rate, a}, {run.rate, a + run.jump}}, still{{Ball(1), Ball(0)}};
  Known part;
  part.pairs = Pairs{[=](const Ball& epsilon) { return divergence(moved, still, epsilon); },
                     [=](const Ball& epsilon) { return divergence(still, moved, epsilon); },
                     run.is_public && arb_is_zero(run.rounding.get()), false};
  part.delta = [pairs = *part.pairs](const Ball& epsilon) {
    const Ball delta = max(pairs.forward(epsilon), pairs.backward(epsilon));
    return Enclosed{delta, pairs.are_attained ? delta : Ball(0)};
  };
  return part;
}

struct SampledPlan {
  Known composition;
  Ball failure;
};

}  // namespace

Known known_poisson_run(const PoissonRun& run, const Context& context) {
  if (!certainly_at_most(run.jump, Ball(kLargestJump))) return gaussian_bound(run);
  const auto candidates = std::make_shared<std::vector<SampledPlan>>();
  for (const std::size_t tail : promising_tails(run)) {
    // Ordinary composition needs nothing of the maps.
    const Ball failure = tail == run.steps ? Ball(0) : run.failure * Ball(run.tasks);
    if (!certainly_less(failure, Ball(1))) continue;
    const Known part = sampled_step(move_of(run, tail), run);
    const auto times = static_cast<unsigned long>(static_cast<double>(tail) * run.tasks);
    candidates->push_back({times == 1 ? part : known_composition({part}, times, context), failure});
  }
  if (run.is_public) return (*candidates)[0].composition;
  Known known;
  known.delta = [candidates](const Ball& epsilon) {
    Ball least(1);
    for (const SampledPlan& one : *candidates) least = min(least, one.composition.delta(epsilon).upper + one.failure);
    return Enclosed{least, Ball(0)};
  };
  return known;
}

}  // namespace doeblin::verify
