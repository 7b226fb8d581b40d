// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "cli/answer.hpp"

namespace doeblin::cli {

/// The report as JSON. Numbers are exact doubles, infinity is the string "inf". The answers are listed in "results"; a
/// single one stands at the top level too.
[[nodiscard]] std::string json_text(const Report& report);

/// The derivation with the answers after every step.
[[nodiscard]] std::string json_explanation(const Report& report);

/// {"error": "..."}, for callers that read only JSON.
[[nodiscard]] std::string json_calibration(const CalibrationReport& report);
[[nodiscard]] std::string json_comparison(const ComparisonReport& report);
[[nodiscard]] std::string json_error(const std::string& message);

}  // namespace doeblin::cli
