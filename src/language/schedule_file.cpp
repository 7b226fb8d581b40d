// SPDX-License-Identifier: Apache-2.0
#include "doeblin/language/schedule_file.hpp"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/io/csv_rows.hpp"

namespace doeblin::language {
namespace {

constexpr io::TextLimits kScheduleLimits = {.file = std::uintmax_t{4} << 30, .line = 4096};

std::vector<std::vector<double>*> columns_of(std::string_view header, const std::string& where, Schedule& schedule) {
  std::vector<std::vector<double>*> columns;
  io::for_each_cell(header, [&](std::size_t, std::string_view name) {
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

}  // namespace

Schedule read_schedule(const std::string& path) {
  io::LineReader reader(path, kScheduleLimits, "schedule");
  Schedule schedule;
  std::vector<std::vector<double>*> columns;
  std::string_view content;
  while (reader.next(content)) {
    if (columns.empty()) {
      columns = columns_of(content, reader.where(), schedule);
      continue;
    }
    if (columns[0]->size() >= kMostScheduledSteps)
      throw InvalidArgument(reader.where() + ": too many steps, need at most 10000000");
    std::size_t cells = 0;
    io::for_each_cell(content, [&](std::size_t column, std::string_view cell) {
      if (column < columns.size()) columns[column]->push_back(io::number_in_cell(column, cell, reader));
      ++cells;
    });
    if (cells != columns.size())
      throw InvalidArgument(
          fmt::format("{}: {} values, need {} as in the header", reader.where(), cells, columns.size()));
  }
  if (columns.empty() || columns[0]->empty())
    throw InvalidArgument("schedule", fmt::format("'{}'", path), "a header and at least one step");
  return schedule;
}

}  // namespace doeblin::language
