// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/answer.hpp"
#include "doeblin/pipeline/comparison.hpp"

namespace doeblin::commands {

/// Asks every analysis of the expression, with progress on standard error.
[[nodiscard]] pipeline::Comparison comparison_report(const std::string& expression, const pipeline::Settings& settings,
                                                     const Question& question);
/// The same for a pipeline that is at hand; `expression` is what it is called.
[[nodiscard]] pipeline::Comparison comparison_report(const std::string& expression,
                                                     const pipeline::EvaluatedUnder& evaluated,
                                                     const pipeline::Settings& settings, const Question& question);

}  // namespace doeblin::commands
