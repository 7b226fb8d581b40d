// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/pipeline/noisy_sgd.hpp"

namespace doeblin::pipeline {

/// Reads constants that change from step to step: a CSV file whose first line names the columns (learning_rate, sigma,
/// lipschitz, batch; any of them, in any order), then one line for each step.
///
/// Errors   InvalidArgument with "file:line"; more than kMostScheduledSteps steps are refused
[[nodiscard]] Schedule read_schedule(const std::string& path);

inline constexpr std::size_t kMostScheduledSteps = 10'000'000;

}  // namespace doeblin::pipeline
