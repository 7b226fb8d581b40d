// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "doeblin/language/expression.hpp"

namespace doeblin::language {

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
  /// An argument of it may be open, written '?', for calibrate.
  Program program;
  std::optional<double> epsilon = std::nullopt;
  std::optional<double> delta = std::nullopt;
};

/// Whether the text names a plan rather than being an expression.
[[nodiscard]] bool is_plan(std::string_view text);

/// Errors   InvalidArgument with "file:line" where there is one; files over 64 MiB are refused
[[nodiscard]] Plan read_plan(const std::string& path, const Operand& operand = {});

}  // namespace doeblin::language
