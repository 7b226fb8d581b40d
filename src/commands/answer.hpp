// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/comparison.hpp"
#include "doeblin/pipeline/pipeline.hpp"
#include "doeblin/pipeline/question.hpp"

namespace doeblin::commands {

using pipeline::Answer;
using pipeline::Quantity;
using pipeline::Question;

/// Everything a command prints.
struct Report {
  std::string expression;
  pipeline::Pipeline pipeline;
  std::vector<Answer> answers;

  [[nodiscard]] bool converged() const;
};

/// What calibrate prints.
struct CalibrationReport {
  std::string expression;
  pipeline::OpenPipeline open;
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
