// SPDX-License-Identifier: Apache-2.0
#include "cli/answer.hpp"

#include <algorithm>

namespace doeblin::cli {
namespace {

// A tight Renyi divergence is promised to this relative width; absolutely, where it is a difference near 0.
constexpr double kRenyiWidth = 2e-6;
constexpr double kRenyiAbsoluteWidth = 1e-11;
// Deltas below this are not resolved.
constexpr double kSmallestPromise = 1e-11;

bool is_narrow(const Bracket& value) {
  return value.width() <= kRenyiAbsoluteWidth || value.relative_width() <= kRenyiWidth;
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

Answer answer(const pipeline::Guarantee& guarantee, const Question& question) {
  const ProfileTraits& traits = guarantee.profile.traits();
  switch (question.quantity) {
    case Quantity::kEpsilon: {
      const Bracket value = guarantee.profile.epsilon(Delta(question.argument));
      return {question, value, !traits.tight || traits.goal.is_met_by_epsilon(value)};
    }
    case Quantity::kDelta: {
      const Bracket value = guarantee.profile.delta(Epsilon(question.argument));
      return {question, value,
              !traits.tight || traits.goal.is_met_by_delta(value) || value.width() <= kSmallestPromise};
    }
    case Quantity::kRdp: {
      const Bracket value = guarantee.renyi.at(Alpha(question.argument));
      return {question, value, !guarantee.renyi.traits().tight || is_narrow(value)};
    }
  }
  throw InternalError("broken invariant: unknown quantity");
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

}  // namespace doeblin::cli
