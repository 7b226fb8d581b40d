// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/hidden_sampling.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include "doeblin/composition/composition.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/gdp.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// Compositions are not followed to smaller deltas than this.
constexpr double kSmallestDelta = 1e-300;
// Losses of a single step beyond 72 nats.
constexpr double kLargestJump = 12.0;
// A tail that looks this much better than the whole run makes it superfluous.
constexpr double kHopeless = 0.25;
// The pair is made of a jump and a rate that are rounded up: lower ends step back by more than that.
constexpr double kRoundedUp = 1.0 - 1e-12;

// 1 + c + ... + c^{k-1} at both ends of c.
Bracket geometric_sum(const Bracket& c, double k) {
  const auto at = [k](double x) {
    if (x == 1.0) return Bracket(k);
    if (x == 0.0) return Bracket(k > 0.0 ? 1.0 : 0.0);
    const Bracket log_x = numerics::log1p(Bracket(x) - 1.0);
    return numerics::expm1(log_x * k) / numerics::expm1(log_x);
  };
  return {at(c.lower()).lower(), at(c.upper()).upper()};
}

// Tails that are tried: all short ones, then every twentieth part more.
double next_tail(double tail) { return std::max(tail + 1.0, std::floor(tail * 1.05)); }

// A second-order estimate of how private `tail` steps are: log of the chi-square divergence, added up.
double badness(const SampledRun& run, double tail) {
  const double a = sampled_move(run, tail);
  const double b = a + run.jump.upper();
  const double q = run.rate;
  if (!(b < 20.0)) return kInfinity;
  // (1-q)^2 e^{a^2} + 2 q (1-q) e^{ab} + q^2 e^{b^2} - 1
  const double excess =
      (1.0 - q) * (1.0 - q) * std::expm1(a * a) + 2.0 * q * (1.0 - q) * std::expm1(a * b) + q * q * std::expm1(b * b);
  return tail * std::log1p(excess);
}

// The tail that looks best with its neighbours, and the whole run unless it looks far worse; either alone where the
// other is hopeless. Each costs a composition.
std::vector<double> promising_tails(const SampledRun& run) {
  const double whole = badness(run, run.steps);
  double best = run.steps;
  double least = whole;
  for (double tail = 1.0; tail < run.steps; tail = next_tail(tail))
    if (const double value = badness(run, tail); value < least) least = value, best = tail;
  std::vector<double> tails;
  // Failures are charged to tails only.
  if (!(least < kHopeless * whole) || run.failure > 0.0) tails.push_back(run.steps);
  if (best < run.steps && least < 0.98 * whole)
    for (const double factor : {0.6, 1.0, 1.6}) {
      const double tail = std::clamp(std::round(best * factor), 1.0, run.steps);
      if (std::find(tails.begin(), tails.end(), tail) == tails.end()) tails.push_back(tail);
    }
  if (tails.empty()) tails.push_back(run.steps);
  return tails;
}

// Where one step alone loses so much, nothing is private and nothing is worth a transform: the mixture is at least as
// private as its worse part, a Gaussian mechanism, and these compose exactly. With everybody in every batch the mixture
// is that Gaussian mechanism.
Profile gaussian_bound(const SampledRun& run) {
  const auto level_of = [&run](double tail) {
    const double step = rounding::add_up(sampled_move(run, tail), run.jump.upper());
    return rounding::mul_up(step, numerics::sqrt(Bracket(tail)).upper());
  };
  double level = level_of(run.steps);
  // Only the whole run needs neither hidden states nor the Lipschitz constant.
  if (!run.is_public && run.failure == 0.0)
    for (double tail = 1.0; tail < run.steps; tail = next_tail(tail)) level = std::min(level, level_of(tail));
  const Profile gaussian = profile_of(Gdp{numerics::Wide(level)});
  const bool is_exact = run.is_public && run.rate == 1.0;
  // From below: not more than the jumps alone.
  const double attained =
      is_exact ? rounding::mul_down(run.jump.lower(), numerics::sqrt(Bracket(run.steps)).lower()) : 0.0;
  const Profile least = profile_of(Gdp{numerics::Wide(attained)});
  return Profile(
      [=](Epsilon epsilon) { return Bracket(least.delta(epsilon).lower(), gaussian.delta(epsilon).upper()); },
      [=](Delta delta) { return Bracket(least.epsilon(delta).lower(), gaussian.epsilon(delta).upper()); },
      {.tight = is_exact});
}

}  // namespace

void SampledRun::validate() const {
  require(jump.lower() >= 0.0 && std::isfinite(jump.upper()), "jump", jump.upper(), "0 <= jump < infinity");
  require(lipschitz.lower() >= 0.0 && std::isfinite(lipschitz.upper()), "lipschitz", lipschitz.upper(),
          "0 <= lipschitz < infinity");
  require(diameter > 0.0, "diameter", diameter, "diameter > 0");
  require(rate > 0.0 && rate <= 1.0, "rate", rate, "0 < rate <= 1");
  require_count(steps);
  require(rounding >= 0.0 && std::isfinite(rounding), "rounding", rounding, "0 <= rounding < infinity");
  require(failure >= 0.0 && failure <= 1.0, "failure", failure, "0 <= failure <= 1");
}

double sampled_move(const SampledRun& run, double tail) {
  const double before = run.steps - tail;
  if (before == 0.0) return run.rounding;
  const double distance =
      std::min(run.diameter, ((run.jump + run.rounding) * geometric_sum(run.lipschitz, before)).upper());
  if (run.lipschitz.upper() == 0.0) return run.rounding;
  const double decayed =
      rounding::mul_up(distance, numerics::exp(numerics::log(Bracket(run.lipschitz.upper())) * tail).upper());
  return rounding::add_up(
      rounding::div_up(decayed, std::max(1.0, geometric_sum(Bracket(run.lipschitz.upper()), tail).lower())),
      run.rounding);
}

Profile hidden_sampling_profile(const SampledRun& run, const AccuracyGoal& goal) {
  run.validate();
  struct Candidate {
    LossComposition composition;
    double failure;
  };
  const auto composition_of = [&](double tail, double move) {
    // The pair itself is what dominates: its lower ends show how accurate the composition is.
    return LossComposition({{LossPairs::exact(shifted_poisson_pair(move, run.jump.upper(), run.rate)), tail}}, goal);
  };
  if (run.jump.upper() > kLargestJump || run.rate == 1.0) return gaussian_bound(run);
  if (run.is_public) {
    const LossComposition whole = composition_of(run.steps, run.rounding);
    ProfileTraits traits{.tight = true, .loss_bound = whole.loss_bound(), .costly = true};
    traits.goal = goal;
    const auto lowered = [](const Bracket& x) { return Bracket(x.lower() * kRoundedUp, x.upper()); };
    return Profile([=](Epsilon epsilon) { return lowered(whole.delta(epsilon)); },
                   [=](Delta delta) {
                     if (delta.value() < kSmallestDelta) return Bracket(0.0, kInfinity);
                     return lowered(whole.epsilon(delta));
                   },
                   traits);
  }
  auto candidates = std::make_shared<std::vector<Candidate>>();
  for (const double tail : promising_tails(run)) {
    const double move = sampled_move(run, tail);
    // Ordinary composition needs nothing of the maps.
    const double failure = tail == run.steps ? 0.0 : run.failure;
    if (std::isfinite(move) && failure < 1.0) candidates->push_back({composition_of(tail, move), failure});
  }
  ProfileTraits traits{.tight = false, .costly = true};
  traits.goal = goal;
  return Profile(
      [candidates](Epsilon epsilon) {
        double upper = 1.0;
        for (const Candidate& one : *candidates)
          upper = std::min(upper, rounding::add_up(one.composition.delta(epsilon).upper(), one.failure));
        return Bracket(0.0, upper);
      },
      [candidates](Delta delta) {
        double upper = kInfinity;
        for (const Candidate& one : *candidates) {
          const double rest = rounding::sub_down(delta.value(), one.failure);
          if (rest > kSmallestDelta) upper = std::min(upper, one.composition.epsilon(Delta(rest)).upper());
        }
        return Bracket(0.0, upper);
      },
      traits);
}

}  // namespace doeblin
