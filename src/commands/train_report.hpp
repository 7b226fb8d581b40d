// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "commands/train_run.hpp"

namespace doeblin::commands {

/// The guarantee in one line, as the model carries it.
[[nodiscard]] std::string guarantee_line(const TrainReport& report);
[[nodiscard]] std::string text_train(const TrainReport& report);
[[nodiscard]] std::string json_train(const TrainReport& report);

}  // namespace doeblin::commands
