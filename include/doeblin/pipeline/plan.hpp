// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "doeblin/pipeline/calibration.hpp"
#include "doeblin/pipeline/noisy_sgd.hpp"

namespace doeblin::pipeline {

/// A pipeline or a training run that is kept in a file, with its target:
///
///     name = "spring survey"
///     expression = "gaussian(sigma=1.1) | poisson(rate=0.004) | compose(14000)"
///     [target]
///     epsilon = 1
///     delta = 1e-6
///
/// or, in place of `expression`, a table [noisy_sgd] with that source's arguments; learning_rate, sigma, lipschitz and
/// batch may be lists with one number for each step, and `schedule` names a CSV file next to the plan.
struct Plan {
  std::string name;
  std::string expression;
  /// The lists of a run; Settings::schedule for the expression.
  std::shared_ptr<const Schedule> schedule = nullptr;
  std::optional<double> epsilon = std::nullopt;
  std::optional<double> delta = std::nullopt;

  /// The settings with what the plan adds to them.
  [[nodiscard]] Settings settings(Settings base) const;
};

/// Whether the text names a plan rather than being an expression.
[[nodiscard]] bool is_plan(std::string_view text);

/// Errors   InvalidArgument with "file:line" where there is one; files over 64 MiB are refused
[[nodiscard]] Plan read_plan(const std::string& path);

}  // namespace doeblin::pipeline
