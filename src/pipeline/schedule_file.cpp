// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/schedule_file.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include <fast_float/fast_float.h>
#include <fmt/format.h>

namespace doeblin::pipeline {
namespace {

constexpr std::size_t kLongestLine = 1000;

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") - first + 1);
}

std::string printable(std::string_view text) {
  std::string shown(text.substr(0, 40));
  for (char& c : shown)
    if (c < 0x20 || c > 0x7e) c = '?';
  return shown;
}

// Calls `take` with every cell of a line.
template <typename Take>
void for_each_cell(std::string_view line, const Take& take) {
  for (std::size_t column = 0;; ++column) {
    const auto comma = line.find(',');
    take(column, trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return;
    line.remove_prefix(comma + 1);
  }
}

std::vector<std::vector<double>*> columns_of(std::string_view header, const std::string& where, Schedule& schedule) {
  std::vector<std::vector<double>*> columns;
  for_each_cell(header, [&](std::size_t, std::string_view name) {
    std::vector<double>* column = name == "learning_rate" ? &schedule.learning_rate
                                  : name == "sigma"       ? &schedule.sigma
                                  : name == "lipschitz"   ? &schedule.lipschitz
                                  : name == "batch"       ? &schedule.batch
                                                          : nullptr;
    if (!column)
      throw InvalidArgument(
          fmt::format("{}: column '{}', need learning_rate, sigma, lipschitz or batch", where, printable(name)));
    if (std::find(columns.begin(), columns.end(), column) != columns.end())
      throw InvalidArgument(fmt::format("{}: column '{}' comes twice", where, printable(name)));
    columns.push_back(column);
  });
  return columns;
}

double number_of(std::string_view cell, const std::string& where) {
  double value = 0.0;
  const auto parsed = fast_float::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty() || parsed.ec != std::errc() || parsed.ptr != cell.data() + cell.size() || !std::isfinite(value))
    throw InvalidArgument(fmt::format("{}: '{}', need a finite number", where, printable(cell)));
  return value;
}

}  // namespace

Schedule read_schedule(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error))
    throw InvalidArgument("schedule", fmt::format("'{}'", path), "an existing regular file");
  std::ifstream file(path);
  if (!file) throw InvalidArgument("schedule", fmt::format("'{}'", path), "a readable file");
  Schedule schedule;
  std::vector<std::vector<double>*> columns;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    const auto where = [&] { return fmt::format("{}:{}", path, number); };
    if (line.size() > kLongestLine) throw InvalidArgument(where() + ": line too long, need at most 1000 bytes");
    const std::string_view content = trimmed(line);
    if (content.empty() || content.front() == '#') continue;
    if (columns.empty()) {
      columns = columns_of(content, where(), schedule);
      continue;
    }
    if (columns[0]->size() >= kMostScheduledSteps)
      throw InvalidArgument(where() + ": too many steps, need at most 10000000");
    std::size_t cells = 0;
    for_each_cell(content, [&](std::size_t column, std::string_view cell) {
      if (column < columns.size()) columns[column]->push_back(number_of(cell, where()));
      ++cells;
    });
    if (cells != columns.size())
      throw InvalidArgument(fmt::format("{}: {} values, need {} as in the header", where(), cells, columns.size()));
  }
  if (columns.empty() || columns[0]->empty())
    throw InvalidArgument("schedule", fmt::format("'{}'", path), "a header and at least one step");
  return schedule;
}

}  // namespace doeblin::pipeline
