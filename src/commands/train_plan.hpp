// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/train_request.hpp"

namespace doeblin::commands {

/// Where the records come from.
[[nodiscard]] training::DataFile data_file(const TrainRequest& asked);

/// What is asked for, once the records are read.
/// Errors   InvalidArgument when the loss does not fit the label
[[nodiscard]] training::DescentRequest request_of(const TrainRequest& asked, const training::Encoding& encoding,
                                                  const training::Records& records);

/// The run with the noise that is asked for, or with the least that meets the target.
[[nodiscard]] training::DescentPlan plan_of(const TrainRequest& asked, const training::DescentRequest& request);

}  // namespace doeblin::commands
