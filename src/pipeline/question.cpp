// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/question.hpp"

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

bool is_as_promised(const Mechanism& mechanism, Quantity quantity, const Bracket& value) {
  const ProfileTraits& traits = mechanism.profile().traits();
  switch (quantity) {
    case Quantity::kEpsilon: return !traits.tight || traits.goal.is_met_by_epsilon(value);
    case Quantity::kDelta:
      return !traits.tight || traits.goal.is_met_by_delta(value) || value.width() <= kSmallestPromise;
    case Quantity::kRdp: return !mechanism.renyi().traits().tight || is_narrow_renyi(value);
  }
  throw InternalError("broken invariant: unknown quantity");
}

// Why a bracket is not as promised.
std::string shortfall(const Mechanism& mechanism, Quantity quantity, const Bracket& value) {
  if (!std::isfinite(value.upper())) return "no finite upper end was found";
  const AccuracyGoal& goal = mechanism.profile().traits().goal;
  if (quantity == Quantity::kEpsilon)
    return fmt::format("{} wide, need at most {}", format_up(value.width()),
                       format_exact(goal.width_at(value.upper())));
  return fmt::format("{} of it wide, need at most {}", format_up(value.relative_width()),
                     format_exact(quantity == Quantity::kDelta ? goal.delta_width : kRenyiWidth));
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

Answer answered(const Mechanism& mechanism, const Question& question, const Bracket& value) {
  const bool converged = is_as_promised(mechanism, question.quantity, value);
  return {question, value, converged, converged ? "" : shortfall(mechanism, question.quantity, value)};
}

Answer answer(const Mechanism& mechanism, const Question& question) {
  return answered(mechanism, question, value_asked(mechanism, question));
}

bool answers(const Mechanism& mechanism, Quantity quantity, std::span<const double> arguments, std::span<double> lower,
             std::span<double> upper) {
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
    if (!is_as_promised(mechanism, quantity, {lower[i], upper[i]})) return false;
  return true;
}

}  // namespace doeblin::pipeline
