// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/matrix_file.hpp"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

#include "doeblin/core/error.hpp"

namespace doeblin::pipeline {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{64} << 20;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string printable(std::string_view text) {
  std::string shown(text);
  for (char& c : shown)
    if (c < 0x20 || c > 0x7e) c = '?';
  return shown;
}

std::vector<double> parse_row(std::string_view line, const std::string& where) {
  std::vector<double> row;
  while (true) {
    const auto comma = line.find(',');
    const std::string_view cell = trimmed(line.substr(0, comma));
    double value = 0.0;
    const auto parsed = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (parsed.ec != std::errc() || parsed.ptr != cell.data() + cell.size() || !std::isfinite(value))
      throw InvalidArgument(fmt::format("{}: column {} = '{}', need a finite number", where, row.size() + 1,
                                        printable(cell.substr(0, 40))));
    row.push_back(value);
    if (comma == std::string_view::npos) return row;
    line.remove_prefix(comma + 1);
  }
}

}  // namespace

std::vector<std::vector<double>> read_matrix(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InvalidArgument("file", fmt::format("'{}'", path), "an existing regular file");
  if (const auto size = std::filesystem::file_size(path, error); error || size > kLargestFile)
    throw InvalidArgument("file", fmt::format("'{}'", path), "a file of at most 64 MiB");
  std::ifstream file(path);
  if (!file) throw InvalidArgument("file", fmt::format("'{}'", path), "a readable file");
  std::vector<std::vector<double>> rows;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const std::string where = fmt::format("{}:{}", path, number);
    if (line.size() > kLongestLine) throw InvalidArgument(where + ": line too long, need at most 1 MiB");
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    rows.push_back(parse_row(content, where));
    if (rows.back().size() != rows.front().size())
      throw InvalidArgument(
          fmt::format("{}: {} values, need {} as in the first row", where, rows.back().size(), rows.front().size()));
  }
  if (rows.empty()) throw InvalidArgument("file", fmt::format("'{}'", path), "at least one row of numbers");
  return rows;
}

}  // namespace doeblin::pipeline
