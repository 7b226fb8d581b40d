// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/csv_rows.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::io {

double number_in_cell(std::size_t column, std::string_view cell, const LineReader& reader) {
  double value = 0.0;
  // Names are put together only where something is wrong.
  return is_number(cell, value) ? value : parse_number(cell, reader.where(), fmt::format("column {}", column + 1));
}

void for_each_csv_row(const std::string& path, const TextLimits& limits,
                      const std::function<void(const std::vector<double>&, const LineReader&)>& take) {
  LineReader reader(path, limits);
  std::string_view line;
  std::vector<double> row;
  std::size_t length = 0;
  while (reader.next(line)) {
    row.clear();
    for_each_cell(
        line, [&](std::size_t column, std::string_view cell) { row.push_back(number_in_cell(column, cell, reader)); });
    if (length == 0) length = row.size();
    if (row.size() != length)
      throw InvalidArgument(
          fmt::format("{}: {} values, need {} as in the first row", reader.where(), row.size(), length));
    take(row, reader);
  }
  if (length == 0) throw InvalidArgument("file", fmt::format("'{}'", path), "at least one row of numbers");
}

}  // namespace doeblin::io
