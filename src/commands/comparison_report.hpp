// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "commands/answer.hpp"
#include "doeblin/pipeline/comparison.hpp"

namespace doeblin::commands {

/// Asks every analysis of the expression, with progress on standard error.
[[nodiscard]] pipeline::Comparison comparison_report(
    const Expression& expression, const Settings& settings, const Question& question,
    const std::function<void()>& before_each = [] {});

}  // namespace doeblin::commands
