// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/io/line_reader.hpp"

namespace doeblin::io {

/// Calls `take` with the number, from 0, and the text of every cell of a line: between commas, without blanks around it.
template <typename Take>
void for_each_cell(std::string_view line, const Take& take) {
  for (std::size_t column = 0;; ++column) {
    const auto comma = line.find(',');
    take(column, trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

/// The number in a cell.
/// Errors   InvalidArgument with "file:line" and the column
[[nodiscard]] double number_in_cell(std::size_t column, std::string_view cell, const LineReader& reader);

/// Calls `take` with every row of numbers of a CSV file: values separated by commas, blank lines and lines that start
/// with '#' skipped, all rows of the same length, at least one.
/// Errors   InvalidArgument with "file:line"
void for_each_csv_row(const std::string& path, const TextLimits& limits,
                      const std::function<void(const std::vector<double>&, const LineReader&)>& take);

}  // namespace doeblin::io
