// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "commands/release_plan.hpp"
#include "doeblin/sampling/csv_release.hpp"
#include "doeblin/sampling/table_release.hpp"

namespace doeblin::commands {

/// One file that was written, with what it guarantees.
struct ReleasedFile {
  /// Empty for a table that stays in memory.
  std::string path;
  std::optional<double> time;
  pipeline::Pipeline pipeline;
  Bracket epsilon;
};

struct ReleaseReport {
  ReleaseRequest asked;
  ReleasePlan plan;
  std::vector<ReleasedFile> files;
  sampling::CsvReleased done;
  bool is_void;
};

/// "noisy.csv" becomes "noisy.tier2.csv".
[[nodiscard]] std::string tier_path(const std::string& output, std::size_t tier);

/// Where the releases go: the output, or one file for each tier.
[[nodiscard]] std::vector<std::string> output_paths(const ReleaseRequest& asked);

/// Plans, computes the guarantee, and only then reads and writes. `between` is called between blocks of rows, and may
/// throw to end it; then no file appears.
[[nodiscard]] ReleaseReport release_report(
    const ReleaseRequest& asked, const std::function<void()>& between = [] {});

/// Numbers in memory.
struct ReleaseTable {
  /// Row by row, as many in each as there are columns.
  std::span<const double> values;
  std::vector<sampling::ColumnLimits> columns;
  /// Where each column stands in a row.
  std::vector<std::size_t> places;
};

struct ReleasedTable {
  ReleaseReport report;
  /// One for each release, of the shape of the values.
  std::vector<std::vector<double>> tables;
};

/// The same for a table in memory: the request's files and declarations of columns are not looked at. From a seed, the
/// numbers are those of a file of this table whose columns are declared in this order. How many values were clipped is
/// not counted.
[[nodiscard]] ReleasedTable release_table(
    const ReleaseRequest& asked, const ReleaseTable& table, const std::function<void()>& between = [] {});

[[nodiscard]] std::string text_release(const ReleaseReport& report);
[[nodiscard]] std::string json_release(const ReleaseReport& report);
/// Lines about the private data, for the person at the keyboard only; empty if there is nothing to say.
[[nodiscard]] std::string private_notes(const ReleaseReport& report);

}  // namespace doeblin::commands
