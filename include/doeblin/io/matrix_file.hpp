// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace doeblin::io {

/// Reads a text file of numbers: one row per line, values separated by commas, blank lines and lines that start with
/// '#' skipped. All rows have the same length.
///
/// Errors   InvalidArgument with "file:line"; files over 64 MiB, lines over 1 MiB and anything that is not a finite
///          number are refused
[[nodiscard]] std::vector<std::vector<double>> read_matrix(const std::string& path);

}  // namespace doeblin::io
