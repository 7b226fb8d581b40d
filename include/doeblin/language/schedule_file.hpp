// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace doeblin::language {

/// Constants that change from step to step; an empty list means that the run's own constant holds throughout.
struct Schedule {
  std::vector<double> learning_rate;
  std::vector<double> sigma;
  std::vector<double> lipschitz;
  std::vector<double> batch;

  [[nodiscard]] bool empty() const {
    return learning_rate.empty() && sigma.empty() && lipschitz.empty() && batch.empty();
  }
};

/// Reads constants that change from step to step: a CSV file whose first line names the columns (learning_rate, sigma,
/// lipschitz, batch; any of them, in any order), then one line for each step.
///
/// Errors   InvalidArgument with "file:line"; more than kMostScheduledSteps steps are refused
[[nodiscard]] Schedule read_schedule(const std::string& path);

inline constexpr std::size_t kMostScheduledSteps = 10'000'000;

}  // namespace doeblin::language
