// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/loss_composition.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "composition/loss_grid.hpp"
#include "composition/loss_solver.hpp"
#include "doeblin/numerics/elementary.hpp"

namespace doeblin {
namespace {

using rounding::kInfinity;

// A goal so narrow that its grids end nowhere: the nearest one that is within reach.
Bracket solved(const std::vector<LossPart>& parts, AccuracyGoal goal, const std::vector<Direction>& directions,
               const LossQuestion& question) {
  while (true) {
    const Bracket found = LossSolver(parts, goal, directions, question).answer();
    const bool says_nothing = question.is_epsilon ? std::isinf(found.upper()) : found.upper() >= 1.0;
    if (!says_nothing || goal.epsilon_width >= kCompositionGoal.epsilon_width) return found;
    goal.epsilon_width *= 10.0;
    goal.epsilon_relative_width *= 10.0;
    goal.delta_width *= 10.0;
  }
}

}  // namespace

LossComposition::LossComposition(std::vector<LossPart> parts, AccuracyGoal goal, std::vector<Direction> directions)
    : parts_(std::move(parts)), goal_(goal), directions_(std::move(directions)) {
  ensure(!parts_.empty() && !directions_.empty(), "a composition has parts and directions");
}

bool LossComposition::is_feasible(const std::vector<LossPart>& parts) {
  return std::none_of(parts.begin(), parts.end(), [](const LossPart& part) {
    const LossPair& pair = *part.pairs.dominating;
    return pair.forward.traits().costly || pair.backward.traits().costly;
  });
}

Bracket LossComposition::delta(Epsilon epsilon) const {
  if (std::isinf(epsilon.value())) {
    const bool known =
        std::all_of(parts_.begin(), parts_.end(), [](const LossPart& part) { return part.pairs.attained.has_value(); });
    return clamp({known ? infinite_loss(true).lower() : 0.0, infinite_loss(false).upper()}, 0.0, 1.0);
  }
  // No finite loss is as large as that.
  if (epsilon.value() >= loss_bound()) return delta(Epsilon(kInfinity));
  const Bracket found = solved(parts_, goal_, directions_, {false, epsilon.value()});
  return {found.lower(), rounding::larger(found.upper(), kLeastDelta)};
}

double LossComposition::loss_bound() const {
  double bound = 0.0;
  for (const LossPart& part : parts_) {
    const LossPair& pair = *part.pairs.dominating;
    const double most = std::max(pair.forward.traits().loss_bound, pair.backward.traits().loss_bound);
    bound = rounding::add_up(bound, rounding::mul_up(part.count, most));
  }
  return bound;
}

Bracket LossComposition::infinite_loss(bool attained) const {
  Bracket worst(0.0);
  for (const Direction direction : directions_) {
    Bracket log_finite(0.0);
    for (const LossPart& part : parts_) {
      const LossPair& pair = attained ? **part.pairs.attained : *part.pairs.dominating;
      log_finite = log_finite + numerics::log1p(-own_profile(pair, direction).delta(Epsilon(kInfinity))) * part.count;
    }
    worst = max(worst, -numerics::expm1(log_finite));
  }
  return worst;
}

Bracket LossComposition::epsilon(Delta delta) const {
  const Bracket rest = this->delta(Epsilon(kInfinity));
  if (rest.lower() > delta.value()) return Bracket(kInfinity);
  // From the largest finite loss on only the rest is left.
  const double bound = rest.upper() <= delta.value() ? loss_bound() : kInfinity;
  if (bound == 0.0) return Bracket(0.0);
  const Bracket found = solved(parts_, goal_, directions_, {true, delta.value()});
  return {found.lower(), std::min(found.upper(), bound)};
}

Profile profile_of_composition(std::vector<LossPart> parts, AccuracyGoal goal) {
  const bool tight = std::all_of(parts.begin(), parts.end(), [](const LossPart& part) { return part.pairs.is_exact; });
  const auto composition = std::make_shared<const LossComposition>(std::move(parts), goal);
  return Profile([composition](Epsilon epsilon) { return composition->delta(epsilon); },
                 [composition](Delta delta) { return composition->epsilon(delta); },
                 {.tight = tight, .loss_bound = composition->loss_bound(), .costly = true, .goal = goal});
}

}  // namespace doeblin
