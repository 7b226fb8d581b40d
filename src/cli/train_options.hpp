// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

#include "commands/train_options.hpp"

namespace doeblin::cli {

/// Adds the options that say what is run on which records, but for the target. They must stay where they are.
void add_run(CLI::App& command, commands::TrainOptions& options);

}  // namespace doeblin::cli
