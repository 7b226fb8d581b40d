// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "doeblin/io/atomic_file.hpp"
#include "doeblin/sampling/random_stream.hpp"
#include "doeblin/sampling/release_grid.hpp"

namespace doeblin::sampling {

/// A file of numbers with a header, and what is to become of its columns. Every column must be named once.
struct CsvRelease {
  /// A path, or "-" for standard input.
  std::string input;
  /// One file for each release of the path.
  std::vector<std::string> outputs;
  /// Columns that get noise.
  std::vector<ColumnPlan> columns;
  /// Columns that are copied as they are.
  std::vector<std::string> public_columns = {};
  /// Columns that are left out.
  std::vector<std::string> dropped_columns = {};
  LatticeLaw law = LatticeLaw::kGaussian;
  /// Refuse values outside the bounds instead of clipping them.
  bool is_strict = false;
  /// How the outputs are written.
  FileOptions files = {};
  /// More rows than this are refused.
  std::uint64_t most_rows = std::uint64_t{1} << 40;
  unsigned threads = 0;  ///< 0: as many as there are processors
};

/// What was done. The counts of clipped values are about the private data and no part of the release.
struct CsvReleased {
  std::uint64_t rows = 0;
  /// For each column that gets noise.
  std::vector<std::uint64_t> clipped;
};

/// The names of the columns of a file.
[[nodiscard]] std::vector<std::string> csv_columns(const std::string& path);

/// Reads the numbers, draws a path for each of them and writes the releases.
///
/// Method   blocks of lines, several at a time; the noise of a block comes from a stream of its own, so what is
///          written does not depend on the number of threads
/// Cost     memory for a few blocks whatever the size of the file
/// Errors   InvalidArgument with "file:line" for what is not a row of the declared columns; then, and when a disk is
///          full, no output appears
/// `progress` is called between blocks with the rows done so far.
[[nodiscard]] CsvReleased release_csv(
    const CsvRelease& release, const RandomSource& source,
    const std::function<void(std::uint64_t)>& progress = [](std::uint64_t) {});

}  // namespace doeblin::sampling
