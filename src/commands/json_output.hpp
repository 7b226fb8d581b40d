// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/answer.hpp"
#include "doeblin/pipeline/comparison.hpp"
#include "json/json.hpp"

namespace doeblin::commands {

/// The report as JSON. Numbers are exact doubles, infinity is the string "inf". The answers are listed in "results"; a
/// single one stands at the top level too.
[[nodiscard]] std::string json_text(const Report& report);

/// The derivation with the answers after every step.
[[nodiscard]] std::string json_explanation(const Report& report);

/// "analysis", "relation", "neighbours", "expression" (unless it is empty) and "version".
void add_pipeline(Json& json, const pipeline::Pipeline& pipeline, const std::string& expression);

/// {"error": "..."}, for callers that read only JSON.
[[nodiscard]] std::string json_calibration(const CalibrationReport& report);
[[nodiscard]] std::string json_comparison(const pipeline::Comparison& comparison);
[[nodiscard]] std::string json_error(const std::string& message);

}  // namespace doeblin::commands
