// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/report/comparison.hpp"

namespace doeblin::report {

/// A table with the best analysis marked, and how much larger the others' bounds are.
[[nodiscard]] std::string comparison_section(const Comparison& comparison);

/// "epsilon at delta = 1e-5"
[[nodiscard]] std::string question_text(const Comparison& comparison);

}  // namespace doeblin::report
