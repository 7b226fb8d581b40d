// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/mechanism/pipeline.hpp"
#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/question.hpp"

namespace doeblin::commands {

using pipeline::Answer;
using pipeline::Quantity;
using pipeline::Question;

/// A program, and how it was written.
struct Expression {
  language::Program program;
  /// Empty where the language has no words for it.
  std::string text;
};
[[nodiscard]] Expression expression_of(const language::Program& program);
[[nodiscard]] Expression parsed(const std::string& text);

/// What holds after a step; null for a run whose worst person cannot be told, though one of its people may be asked for.
[[nodiscard]] const pipeline::Mechanism* known_guarantee(const pipeline::Derived& step);

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

}  // namespace doeblin::commands
