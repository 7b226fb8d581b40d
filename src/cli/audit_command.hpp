// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace doeblin::cli {

void add_audit(CLI::App& app, int& exit_code);

}  // namespace doeblin::cli
