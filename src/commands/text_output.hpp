// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/answer.hpp"
#include "doeblin/pipeline/comparison.hpp"

namespace doeblin::commands {

/// What epsilon, delta, profile and rdp print. For people: upper bounds are printed rounded up, lower bounds rounded down.
[[nodiscard]] std::string text_report(const Report& report);

/// What explain prints. The derivation: stage by stage, theorem, assumptions, numbers before and after.
[[nodiscard]] std::string text_explanation(const Report& report);

/// What stages prints: sources and stages with their parameters and an example each.
[[nodiscard]] std::string text_stages();

/// Stages, relation and what the caller asserts.
[[nodiscard]] std::string pipeline_summary(const pipeline::Pipeline& pipeline);

[[nodiscard]] std::string text_calibration(const CalibrationReport& report);
/// What compare prints.
[[nodiscard]] std::string text_comparison(const pipeline::Comparison& comparison);

}  // namespace doeblin::commands
