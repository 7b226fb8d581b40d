// SPDX-License-Identifier: Apache-2.0
#include "commands/answer.hpp"

#include <algorithm>

#include "doeblin/numerics/parallel.hpp"

namespace doeblin::commands {
namespace {

// A tight Renyi divergence is promised to this relative width; absolutely, where it is a difference near 0.
constexpr double kRenyiWidth = 2e-6;
constexpr double kRenyiAbsoluteWidth = 1e-11;
// Deltas below this are not resolved.
constexpr double kSmallestPromise = 1e-11;
// Below this, starting threads takes longer than asking.
constexpr std::size_t kFewQuestions = 64;

bool is_narrow(const Bracket& value) {
  return value.width() <= kRenyiAbsoluteWidth || value.relative_width() <= kRenyiWidth;
}

bool is_as_promised(const pipeline::Guarantee& guarantee, Quantity quantity, const Bracket& value) {
  const ProfileTraits& traits = guarantee.profile.traits();
  switch (quantity) {
    case Quantity::kEpsilon: return !traits.tight || traits.goal.is_met_by_epsilon(value);
    case Quantity::kDelta:
      return !traits.tight || traits.goal.is_met_by_delta(value) || value.width() <= kSmallestPromise;
    case Quantity::kRdp: return !guarantee.renyi.traits().tight || is_narrow(value);
  }
  throw InternalError("broken invariant: unknown quantity");
}

Bracket value_of(const pipeline::Guarantee& guarantee, const Question& question) {
  switch (question.quantity) {
    case Quantity::kEpsilon: return guarantee.profile.epsilon(Delta(question.argument));
    case Quantity::kDelta: return guarantee.profile.delta(Epsilon(question.argument));
    case Quantity::kRdp: return guarantee.renyi.at(Alpha(question.argument));
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

void validate(const Question& question) {
  switch (question.quantity) {
    case Quantity::kEpsilon: static_cast<void>(Delta(question.argument)); break;
    case Quantity::kDelta: static_cast<void>(Epsilon(question.argument)); break;
    case Quantity::kRdp: static_cast<void>(Alpha(question.argument)); break;
  }
}

Answer answered(const pipeline::Guarantee& guarantee, const Question& question, const Bracket& value) {
  return {question, value, is_as_promised(guarantee, question.quantity, value)};
}

Answer answer(const pipeline::Guarantee& guarantee, const Question& question) {
  return answered(guarantee, question, value_of(guarantee, question));
}

bool answers(const pipeline::Guarantee& guarantee, Quantity quantity, std::span<const double> arguments,
             std::span<double> lower, std::span<double> upper) {
  if (quantity == Quantity::kDelta) {
    // So narrow that nothing else need be looked at?
    if (guarantee.profile.deltas(arguments, lower, upper) <= kSmallestPromise) return true;
  } else {
    for (const double argument : arguments) validate({quantity, argument});
    const auto fill = [&](std::size_t i) {
      const Bracket value = value_of(guarantee, {quantity, arguments[i]});
      lower[i] = value.lower(), upper[i] = value.upper();
    };
    if (guarantee.profile.traits().costly || arguments.size() < kFewQuestions)
      for (std::size_t i = 0; i < arguments.size(); ++i) fill(i);
    else
      numerics::parallel_for(arguments.size(), fill);
  }
  for (std::size_t i = 0; i < arguments.size(); ++i)
    if (!is_as_promised(guarantee, quantity, {lower[i], upper[i]})) return false;
  return true;
}

bool Report::converged() const {
  for (const Answer& one : answers)
    if (!one.converged) return false;
  return true;
}

std::size_t ComparisonReport::best() const {
  double least = rounding::kInfinity;
  for (const ComparisonRow& row : rows)
    if (row.answer) least = std::min(least, row.answer->value.upper());
  // Two ways to the same number may differ in its last digits.
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (rows[i].answer && rows[i].answer->value.upper() <= least * (1.0 + 1e-6)) return i;
  return 0;
}

Expression expression_of(const language::Program& program) {
  return {program, has_words(program) ? short_text(program) : ""};
}

Expression parsed(const std::string& text) { return {language::parse(text), text}; }

}  // namespace doeblin::commands
