// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace doeblin::io {

/// The largest dense matrix, in entries (512 MiB), and the largest sparse one.
inline constexpr std::size_t kMostDense = std::size_t{1} << 26;
inline constexpr std::size_t kMostSparse = 50'000'000;

struct MatrixEntry {
  std::uint32_t row;
  std::uint32_t column;
  double value;
};

/// A matrix as a file has it, dense or sparse.
struct StoredMatrix {
  std::string path;
  std::size_t rows = 0;
  std::size_t columns = 0;
  bool is_sparse = false;
  std::vector<double> values = {};        ///< row by row; empty if sparse
  std::vector<MatrixEntry> entries = {};  ///< in the order of the file; empty if dense
  std::vector<std::size_t> lines = {};    ///< where each row stands, 0 if nowhere; empty in a file without lines

  /// What messages about a row, counted from 0, begin with: "file:line: ".
  [[nodiscard]] std::string place(std::size_t row) const;
};

/// Reads a matrix of probabilities. What the file is shows in how it begins:
///   NPY            two dimensions, float64, little-endian, either order (rows in float32 do not sum to 1)
///   Matrix Market  coordinate (sparse) or array (dense), real or integer, general or symmetric
///   CSV            one row per line
///
/// Errors   InvalidArgument with the file, and the line where there are lines. Sizes that a header claims are compared
///          with the limits above and with the size of the file before anything is allocated
[[nodiscard]] StoredMatrix read_stored_matrix(const std::string& path);

/// An edge between two nodes, followed both ways.
struct Edge {
  std::uint32_t first;
  std::uint32_t second;
  double weight = 1.0;
};

/// The nodes of a graph are the numbers that occur in its edge list, in increasing order.
struct Graph {
  std::size_t nodes = 0;
  std::vector<Edge> edges;
};

/// Reads one edge per line: two node numbers and possibly a weight, separated by blanks or commas; lines that begin
/// with '#' or '%' are skipped.
[[nodiscard]] Graph read_edges(const std::string& path);

}  // namespace doeblin::io
