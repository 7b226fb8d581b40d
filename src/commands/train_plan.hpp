// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "commands/train_question.hpp"

namespace doeblin::commands {

/// Where the records come from.
[[nodiscard]] training::DataFile data_file(const TrainQuestion& question);

/// What is asked for, once the records are read.
/// Errors   InvalidArgument when the loss does not fit the label
[[nodiscard]] training::DescentRequest request_of(const TrainQuestion& question, const training::Encoding& encoding,
                                                  const training::Records& records);

/// The run with the noise that is asked for, or with the least that meets the target.
[[nodiscard]] training::DescentPlan plan_of(const TrainQuestion& question, const training::DescentRequest& request);

}  // namespace doeblin::commands
