// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/answer.hpp"

namespace doeblin::cli {

/// Asks every analysis of the expression, with progress on standard error.
[[nodiscard]] ComparisonReport comparison_report(const std::string& expression, const pipeline::Settings& settings,
                                                 const Question& question);

}  // namespace doeblin::cli
