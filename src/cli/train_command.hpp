// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace doeblin::cli {

/// Adds the command `train`.
void add_train(CLI::App& app, int& exit_code);

}  // namespace doeblin::cli
