// SPDX-License-Identifier: Apache-2.0
#include "cli/answer.hpp"

namespace doeblin::cli {
namespace {

// A tight answer is promised to this relative width; absolutely, where epsilon itself is a difference near 0.
constexpr double kPromisedWidth = 2e-6;
constexpr double kPromisedAbsoluteWidth = 1e-11;

bool is_narrow(const Bracket& value) {
  return value.relative_width() <= kPromisedWidth || value.width() <= kPromisedAbsoluteWidth;
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
  const auto checked = [&](const Bracket& value, bool tight) {
    return Answer{question, value, !tight || is_narrow(value)};
  };
  switch (question.quantity) {
    case Quantity::kEpsilon:
      return checked(guarantee.profile.epsilon(Delta(question.argument)), guarantee.profile.traits().tight);
    case Quantity::kDelta:
      return checked(guarantee.profile.delta(Epsilon(question.argument)), guarantee.profile.traits().tight);
    case Quantity::kRdp: return checked(guarantee.renyi.at(Alpha(question.argument)), guarantee.renyi.traits().tight);
  }
  throw InternalError("broken invariant: unknown quantity");
}

bool Report::converged() const {
  for (const Answer& one : answers)
    if (!one.converged) return false;
  return true;
}

}  // namespace doeblin::cli
