// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "doeblin/sampling/noise_path.hpp"
#include "doeblin/sampling/random_stream.hpp"
#include "doeblin/sampling/release_grid.hpp"

/// Noise for tables of numbers, wherever they come from.
namespace doeblin::sampling {

/// Some rows on their way through a release: for each column the points of all rows, relative to its centre.
struct RowBlock {
  std::vector<std::vector<std::int64_t>> points;
  /// For each column; about the private data.
  std::vector<std::uint64_t> clipped;
};

/// What is drawn for the columns of a table.
class TableNoise {
 public:
  /// `columns` and `source` are kept by reference. In a strict one, values outside the bounds are refused.
  TableNoise(const std::vector<ColumnPlan>& columns, LatticeLaw law, bool is_strict, const RandomSource& source);

  /// How many rows share a stream of random numbers: about 2^15 cells, whatever is in them.
  [[nodiscard]] static std::size_t rows_per_block(std::size_t columns);

  [[nodiscard]] RowBlock empty_block() const;
  /// Adds a value to a column: clipped to the bounds and rounded to the grid. False, and nothing is added, for one that
  /// must be refused.
  [[nodiscard]] bool take(RowBlock& block, std::size_t column, double x) const;
  /// Why take() refused a value, which is shown as `text`.
  [[nodiscard]] std::string refusal(std::size_t column, double x, std::string_view text) const;

  /// Draws the path of block `number`, counted from 0, from its own stream; after each release, `released` is called
  /// with its number and may read the points.
  void draw(RowBlock& block, std::uint64_t number, const std::function<void(std::size_t)>& released) const;

 private:
  const std::vector<ColumnPlan>& columns_;
  bool is_strict_;
  const RandomSource& source_;
  /// For each column; those with the same noise share its tables.
  std::vector<std::shared_ptr<const NoisePath>> paths_;
};

/// A table in memory, and what is to become of its columns.
struct TableRelease {
  /// Row by row.
  std::span<const double> values;
  /// In the order in which their noise is drawn.
  std::vector<ColumnPlan> columns;
  /// Where each of them stands in a row: every place of 0, ..., columns.size() - 1 once.
  std::vector<std::size_t> places;
  LatticeLaw law = LatticeLaw::kGaussian;
  bool is_strict = false;
  std::uint64_t most_rows = std::uint64_t{1} << 40;
  unsigned threads = 0;  ///< 0: as many as there are processors
};

/// For each release of the path a table like the one that was given.
struct TableReleased {
  std::uint64_t rows = 0;
  std::vector<std::vector<double>> tables = {};
};

/// Draws a path for every number, as release_csv does: from a seed, the same numbers as in a file of this table.
///
/// Errors   InvalidArgument with the row, counted from 0, for what is not finite or refused
/// `progress` is called now and then with the rows that are done.
[[nodiscard]] TableReleased release_table(
    const TableRelease& release, const RandomSource& source,
    const std::function<void(std::uint64_t)>& progress = [](std::uint64_t) {});

}  // namespace doeblin::sampling
