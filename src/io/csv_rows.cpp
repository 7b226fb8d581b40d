// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/csv_rows.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::io {
namespace {

void parse_row(std::string_view line, const LineReader& reader, std::vector<double>& row) {
  row.clear();
  while (true) {
    const auto comma = line.find(',');
    const std::string_view cell = trimmed(line.substr(0, comma));
    double value = 0.0;
    // Names are put together only where something is wrong.
    if (!is_number(cell, value)) value = parse_number(cell, reader.where(), fmt::format("column {}", row.size() + 1));
    row.push_back(value);
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

void for_each_csv_row(const std::string& path, const TextLimits& limits,
                      const std::function<void(const std::vector<double>&, const LineReader&)>& take) {
  LineReader reader(path, limits);
  std::string_view line;
  std::vector<double> row;
  std::size_t length = 0;
  while (reader.next(line)) {
    parse_row(line, reader, row);
    if (length == 0) length = row.size();
    if (row.size() != length)
      throw InvalidArgument(
          fmt::format("{}: {} values, need {} as in the first row", reader.where(), row.size(), length));
    take(row, reader);
  }
  if (length == 0) throw InvalidArgument("file", fmt::format("'{}'", path), "at least one row of numbers");
}

}  // namespace doeblin::io
