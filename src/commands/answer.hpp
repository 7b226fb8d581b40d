// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/comparison.hpp"
#include "doeblin/pipeline/pipeline.hpp"

namespace doeblin::commands {

/// What can be asked about a pipeline.
enum class Quantity { kEpsilon, kDelta, kRdp };

/// The name of the quantity and of the argument it depends on: epsilon of delta, delta of epsilon, rdp of alpha.
struct QuantityNames {
  const char* value;
  const char* argument;
};
[[nodiscard]] QuantityNames names(Quantity quantity);

/// One number asked for.
struct Question {
  Quantity quantity;
  double argument;
};

struct Answer {
  Question question;
  Bracket value;
  /// The bracket is as narrow as promised, or is not meant to close (see ProfileTraits::tight).
  bool converged;
};

/// Checks the argument before any work is done; throws InvalidArgument.
void validate(const Question& question);

/// The answer, once its value is known.
[[nodiscard]] Answer answered(const pipeline::Guarantee& guarantee, const Question& question, const Bracket& value);
[[nodiscard]] Answer answer(const pipeline::Guarantee& guarantee, const Question& question);

/// Everything that is asked about one quantity: [lower[i], upper[i]] encloses it at arguments[i]. Whether all of them
/// are as narrow as promised.
/// Errors   InvalidArgument before any work is done
bool answers(const pipeline::Guarantee& guarantee, Quantity quantity, std::span<const double> arguments,
             std::span<double> lower, std::span<double> upper);

/// A program, and how it was written.
struct Expression {
  language::Program program;
  /// Empty where the language has no words for it.
  std::string text;
};
[[nodiscard]] Expression expression_of(const language::Program& program);
[[nodiscard]] Expression parsed(const std::string& text);

/// Everything a command prints.
struct Report {
  Expression expression;
  pipeline::Pipeline pipeline;
  std::vector<Answer> answers;

  [[nodiscard]] bool converged() const;
};

/// What calibrate prints.
struct CalibrationReport {
  Expression expression;
  pipeline::Unknown unknown;
  pipeline::Target target;
  pipeline::Calibrated found;
};

/// One analysis of a comparison; without an answer there is a reason why it does not apply.
struct ComparisonRow {
  pipeline::Analysis analysis;
  std::optional<Answer> answer;
  std::string reason;
};

/// What compare prints.
struct ComparisonReport {
  std::string expression;
  pipeline::Neighbours neighbours;
  Question question;
  std::vector<ComparisonRow> rows;

  /// The row with the smallest upper end, the first of those that are equal to six digits.
  [[nodiscard]] std::size_t best() const;
};

}  // namespace doeblin::commands
