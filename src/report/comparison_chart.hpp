// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/report/comparison.hpp"

namespace doeblin::report {

/// Upper ends side by side, a line for each analysis that applies; a figure.
[[nodiscard]] std::string comparison_chart(const Comparison& comparison);

}  // namespace doeblin::report
