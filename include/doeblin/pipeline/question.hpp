// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

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

struct Answer {
  Question question;
  Bracket value;
  /// The bracket is as narrow as promised, or is not meant to close (see ProfileTraits::tight).
  bool converged = true;
  /// Otherwise what was promised, in words: "0.02 wide, need at most 0.001". Empty where somebody else asked.
  std::string why_not = {};

  friend bool operator==(const Answer&, const Answer&) = default;
};

/// The answer, once its value is known.
[[nodiscard]] Answer answered(const Mechanism& mechanism, const Question& question, const Bracket& value);
/// Errors   InvalidArgument for a question that is none
[[nodiscard]] Answer answer(const Mechanism& mechanism, const Question& question);

/// Everything that is asked about one quantity: [lower[i], upper[i]] encloses it at arguments[i]. Whether all of them
/// are as narrow as promised.
/// Errors   InvalidArgument before any work is done
bool answers(const Mechanism& mechanism, Quantity quantity, std::span<const double> arguments, std::span<double> lower,
             std::span<double> upper);

}  // namespace doeblin::pipeline
