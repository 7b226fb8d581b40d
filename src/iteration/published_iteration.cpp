// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/published_iteration.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/numerics/theta.hpp"

namespace doeblin {
namespace {

using numerics::Wide;

Zcdp upper_level(const Bracket& rho) {
  require(std::isfinite(rho.upper()), "Renyi level", rho.upper(), "a finite one");
  return {Wide(rho.upper())};
}

void require_one_pass(const PublishedRun& run) {
  require(run.epochs == 1.0, "uses of a record", run.epochs, "one (a single epoch)");
}

double log_product(double first, double factor, double count) {
  if (count == 0.0 || first == -rounding::kInfinity) return first;
  return rounding::add_up(first, rounding::mul_up(count, factor));
}

}  // namespace

Zcdp feldman(const PublishedRun& run) {
  require(run.lipschitz <= 1.0, "lipschitz", run.lipschitz, "lipschitz <= 1 (learning_rate <= 2/smoothness)");
  const Bracket share = 1.0 / (Bracket(run.later) + 1.0) + (Bracket(run.epochs) - 1.0) / run.period;
  return upper_level(run.ratio * run.ratio / 2.0 * share);
}

Zcdp balle(const PublishedRun& run) {
  require_one_pass(run);
  require(run.lipschitz <= 1.0, "lipschitz", run.lipschitz, "lipschitz <= 1");
  const Bracket base = run.ratio * run.ratio / 2.0;
  if (run.later == 0.0) return upper_level(base);
  const Bracket decay = numerics::exp(numerics::log(Bracket(run.lipschitz)) * (run.later + 1.0));
  return upper_level(base * decay / run.later);
}

double asoodeh_log_delta(const PublishedRun& run, const Bracket& diameter, Epsilon epsilon) {
  require_one_pass(run);
  const auto log_theta = [&](double level) { return numerics::log_theta(epsilon.value(), Wide(level)).upper(); };
  return log_product(log_theta(run.ratio.upper()), log_theta((diameter * run.lipschitz).upper()), run.later);
}

double asoodeh_laplace_log_delta(const PublishedRun& run, const Bracket& diameter, Epsilon epsilon) {
  require_one_pass(run);
  const auto log_factor = [&](const Bracket& level) {
    const Bracket gap = (epsilon.value() - level) / 2.0;
    if (gap.lower() >= 0.0) return -rounding::kInfinity;
    return numerics::log(clamp(-numerics::expm1(gap), 0.0, 1.0)).upper();
  };
  return log_product(log_factor(run.ratio), log_factor(diameter * run.lipschitz), run.later);
}

double published_lipschitz(double learning_rate, double smoothness, double strong_convexity) {
  const Bracket sum = Bracket(smoothness) + strong_convexity;
  require((Bracket(learning_rate) * sum).lower() <= 2.0, "learning_rate", learning_rate,
          "learning_rate <= 2/(smoothness + strong_convexity), as the published contraction needs");
  if (strong_convexity == 0.0) return 1.0;
  const Bracket square = 1.0 - Bracket(2.0) * learning_rate * smoothness * strong_convexity / sum;
  return std::min(1.0, numerics::sqrt(max(square, Bracket(0.0))).upper());
}

}  // namespace doeblin
