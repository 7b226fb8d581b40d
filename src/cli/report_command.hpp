// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

namespace doeblin::cli {

/// `doeblin report`: a certificate or a comparison as a page for people.
void add_report(CLI::App& app, int& exit_code);

}  // namespace doeblin::cli
