// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "commands/answer.hpp"

namespace doeblin::commands {

/// The report as JSON. Numbers are exact doubles, infinity is the string "inf". The answers are listed in "results"; a
/// single one stands at the top level too.
[[nodiscard]] std::string json_text(const Report& report);

/// The derivation with the answers after every step.
[[nodiscard]] std::string json_explanation(const Report& report);

/// Infinity as the string "inf".
[[nodiscard]] nlohmann::ordered_json json_number(double x);
/// {"lower": x, "upper": y}
[[nodiscard]] nlohmann::ordered_json json_bracket(const Bracket& x);
/// "analysis", "relation", "neighbours", "expression" (unless it is empty) and "version".
void add_pipeline(nlohmann::ordered_json& json, const pipeline::Pipeline& pipeline, const std::string& expression);
/// Text from the command line may not be UTF-8; such bytes are replaced rather than refused.
[[nodiscard]] std::string dumped(const nlohmann::ordered_json& json);

/// {"error": "..."}, for callers that read only JSON.
[[nodiscard]] std::string json_calibration(const CalibrationReport& report);
[[nodiscard]] std::string json_comparison(const ComparisonReport& report);
[[nodiscard]] std::string json_error(const std::string& message);

}  // namespace doeblin::commands
