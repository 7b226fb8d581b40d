// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "doeblin/io/line_reader.hpp"

namespace doeblin::io {

/// Calls `take` with every row of numbers of a CSV file: values separated by commas, blank lines and lines that start
/// with '#' skipped, all rows of the same length, at least one.
/// Errors   InvalidArgument with "file:line"
void for_each_csv_row(const std::string& path, const TextLimits& limits,
                      const std::function<void(const std::vector<double>&, const LineReader&)>& take);

}  // namespace doeblin::io
