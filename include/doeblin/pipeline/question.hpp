// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>

#include "doeblin/core/accuracy.hpp"
#include "doeblin/core/bracket.hpp"

/// What is asked of a guarantee, and what it answers.
namespace doeblin::pipeline {

class Mechanism;

/// What can be asked for.
enum class Quantity {
  kEpsilon,  ///< at a delta
  kDelta,    ///< at an epsilon
  kRdp       ///< the Renyi divergence at an alpha
};

/// The name of the quantity and of the argument it depends on: epsilon of delta, delta of epsilon, rdp of alpha.
struct QuantityNames {
  const char* value;
  const char* argument;
};
[[nodiscard]] QuantityNames names(Quantity quantity);

/// One number asked for.
struct Question {
  Quantity quantity = Quantity::kEpsilon;
  double argument = 0.0;

  /// Errors   InvalidArgument unless the argument is one, as the types Delta, Epsilon and Alpha say
  void validate() const;

  friend bool operator==(const Question&, const Question&) = default;
};

/// What an end of a bracket is.
enum class End {
  kEnclosed,  ///< the bracket encloses one number, and its width is numerical error
  kAttained,  ///< a lower end that some neighbours have, of some mechanism that fits the description
  kKnown,     ///< no more is known: an upper end that holds for all, or a lower end of 0
};
/// "enclosed", "attained" or "known".
[[nodiscard]] const char* name(End end);

/// The deltas at which a finite epsilon is known: those from `delta` on, or above it.
struct ReachableDelta {
  double delta = 0.0;
  bool is_reached = true;

  friend bool operator==(const ReachableDelta&, const ReachableDelta&) = default;
};

struct Answer {
  Question question;
  Bracket value;
  /// The bracket is as narrow as promised.
  bool converged = true;
  /// Otherwise why, in words: "0.02 wide, need at most 0.001". Empty where somebody else asked.
  std::string why_not = {};
  End lower_end = End::kEnclosed;
  End upper_end = End::kEnclosed;
  /// Where no epsilon is known to be enough: from which delta on there is one.
  std::optional<ReachableDelta> reachable = std::nullopt;

  /// What separates the ends is not how well they are computed.
  [[nodiscard]] bool is_open() const { return upper_end == End::kKnown; }

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// The answer, once its value is known. What is promised is what the mechanism says itself; where the ends do not enclose
/// one number (see ProfileTraits::tight), `goal` will do.
[[nodiscard]] Answer answered(const Mechanism& mechanism, const Question& question, const Bracket& value,
                              const AccuracyGoal& goal = kCompositionGoal);
/// Errors   InvalidArgument for a question that is none
[[nodiscard]] Answer answer(const Mechanism& mechanism, const Question& question,
                            const AccuracyGoal& goal = kCompositionGoal);

/// Everything that is asked about one quantity: [lower[i], upper[i]] encloses it at arguments[i]. Whether all of them
/// are as narrow as promised.
/// Errors   InvalidArgument before any work is done
bool answers(const Mechanism& mechanism, Quantity quantity, std::span<const double> arguments, std::span<double> lower,
             std::span<double> upper, const AccuracyGoal& goal = kCompositionGoal);

}  // namespace doeblin::pipeline
