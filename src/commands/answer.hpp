// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/pipeline/calibration.hpp"
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

}  // namespace doeblin::commands
