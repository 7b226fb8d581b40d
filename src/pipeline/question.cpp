// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/question.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "doeblin/core/format.hpp"
#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/numerics/parallel.hpp"

namespace doeblin::pipeline {
namespace {

// A tight Renyi divergence is promised to this relative width; absolutely, where it is a difference near 0.
constexpr double kRenyiWidth = 2e-6;
constexpr double kRenyiAbsoluteWidth = 1e-11;
// Deltas below this are not resolved.
constexpr double kSmallestPromise = 1e-11;
// Below this, starting threads takes longer than asking.
constexpr std::size_t kFewQuestions = 64;

bool is_narrow_renyi(const Bracket& value) {
  return value.width() <= kRenyiAbsoluteWidth || value.relative_width() <= kRenyiWidth;
}

bool is_narrow(Quantity quantity, const Bracket& value, const AccuracyGoal& goal) {
  switch (quantity) {
    case Quantity::kEpsilon: return goal.is_met_by_epsilon(value);
    case Quantity::kDelta: return goal.is_met_by_delta(value) || value.width() <= kSmallestPromise;
    case Quantity::kRdp: return is_narrow_renyi(value) || goal.is_met_by_delta(value);
  }
  throw InternalError("broken invariant: unknown quantity");
}

// The ends enclose one number.
bool is_enclosed(const Mechanism& mechanism, Quantity quantity) {
  return quantity == Quantity::kRdp ? mechanism.renyi().traits().tight : mechanism.profile().traits().tight;
}

AccuracyGoal own_goal(const Mechanism& mechanism, Quantity quantity) {
  return quantity == Quantity::kRdp ? AccuracyGoal{.delta_width = kRenyiWidth} : mechanism.profile().traits().goal;
}

bool is_as_promised(const Mechanism& mechanism, Quantity quantity, const Bracket& value, const AccuracyGoal& goal) {
  return is_narrow(quantity, value, own_goal(mechanism, quantity)) ||
         (!is_enclosed(mechanism, quantity) && is_narrow(quantity, value, goal));
}

std::string width_text(Quantity quantity, const Bracket& value, const AccuracyGoal& goal) {
  if (quantity == Quantity::kEpsilon)
    return fmt::format("{} wide, need at most {}", format_up(value.width()),
                       format_exact(goal.width_at(value.upper())));
  return fmt::format("{} of it wide, need at most {}", format_up(value.relative_width()),
                     format_exact(goal.delta_width));
}

// Why a bracket is not as promised.
std::string shortfall(const Mechanism& mechanism, Quantity quantity, const Bracket& value, const AccuracyGoal& goal) {
  if (!std::isfinite(value.upper())) return "no finite upper end was found";
  if (is_enclosed(mechanism, quantity)) return width_text(quantity, value, own_goal(mechanism, quantity));
  if (value.lower() == 0.0) return "nobody is known to come near the upper end";
  return "between what some reach and what holds for all: " + width_text(quantity, value, goal);
}

// What is left of delta at every epsilon: the probability of a loss that no epsilon covers.
std::optional<ReachableDelta> reachable_delta(const Profile& profile) {
  const double left = profile.delta(Epsilon(rounding::kInfinity)).upper();
  const auto is_finite_at = [&](double delta) {
    return delta > 0.0 && delta < 1.0 && std::isfinite(profile.epsilon(Delta(delta)).upper());
  };
  if (is_finite_at(left)) return ReachableDelta{left, true};
  // Losses without a limit: just above there is an epsilon, if this way of computing finds it.
  if (is_finite_at(std::max(left * (1.0 + 1e-6), 1e-9))) return ReachableDelta{left, false};
  return std::nullopt;
}

Bracket value_asked(const Mechanism& mechanism, const Question& question) {
  switch (question.quantity) {
    case Quantity::kEpsilon: return mechanism.profile().epsilon(Delta(question.argument));
    case Quantity::kDelta: return mechanism.profile().delta(Epsilon(question.argument));
    case Quantity::kRdp: return mechanism.renyi().at(Alpha(question.argument));
  }
  throw InternalError("broken invariant: unknown quantity");
}

}  // namespace

QuantityNames names(Quantity quantity) {
  switch (quantity) {
    case Quantity::kEpsilon: return {"epsilon", "delta"};
    case Quantity::kDelta: return {"delta", "epsilon"};
    case Quantity::kRdp: return {"rdp", "alpha"};
  }
  throw InternalError("broken invariant: unknown quantity");
}

void Question::validate() const {
  switch (quantity) {
    case Quantity::kEpsilon: static_cast<void>(Delta(argument)); break;
    case Quantity::kDelta: static_cast<void>(Epsilon(argument)); break;
    case Quantity::kRdp: static_cast<void>(Alpha(argument)); break;
  }
}

const char* name(End end) {
  switch (end) {
    case End::kEnclosed: return "enclosed";
    case End::kAttained: return "attained";
    case End::kKnown: return "known";
  }
  throw InternalError("broken invariant: unknown end");
}

Answer answered(const Mechanism& mechanism, const Question& question, const Bracket& value, const AccuracyGoal& goal) {
  const Quantity quantity = question.quantity;
  Answer one{question, value, is_as_promised(mechanism, quantity, value, goal)};
  if (!one.converged) one.why_not = shortfall(mechanism, quantity, value, goal);
  if (!is_enclosed(mechanism, quantity)) {
    one.lower_end = value.lower() > 0.0 ? End::kAttained : End::kKnown;
    one.upper_end = End::kKnown;
  }
  if (quantity == Quantity::kEpsilon && std::isinf(value.upper())) one.reachable = reachable_delta(mechanism.profile());
  return one;
}

Answer answer(const Mechanism& mechanism, const Question& question, const AccuracyGoal& goal) {
  return answered(mechanism, question, value_asked(mechanism, question), goal);
}

bool answers(const Mechanism& mechanism, Quantity quantity, std::span<const double> arguments, std::span<double> lower,
             std::span<double> upper, const AccuracyGoal& goal) {
  if (quantity == Quantity::kDelta) {
    // So narrow that nothing else need be looked at?
    if (mechanism.profile().deltas(arguments, lower, upper) <= kSmallestPromise) return true;
  } else {
    for (const double argument : arguments) Question{quantity, argument}.validate();
    const auto fill = [&](std::size_t i) {
      const Bracket value = value_asked(mechanism, {quantity, arguments[i]});
      lower[i] = value.lower(), upper[i] = value.upper();
    };
    if (mechanism.profile().traits().costly || arguments.size() < kFewQuestions)
      for (std::size_t i = 0; i < arguments.size(); ++i) fill(i);
    else
      numerics::parallel_for(arguments.size(), fill);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!is_as_promised(mechanism, quantity, {lower[i], upper[i]}, goal)) return false;
  return true;
}

}  // namespace doeblin::pipeline
