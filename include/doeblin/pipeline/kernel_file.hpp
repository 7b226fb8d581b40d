// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/amplify/finite_kernel.hpp"
#include "doeblin/amplify/named_kernels.hpp"

namespace doeblin::pipeline {

/// Reads a kernel, one row of probabilities per state. What the file is shows in how it begins:
///   NPY            two dimensions, float64, little-endian, either order (rows in float32 do not sum to 1)
///   Matrix Market  coordinate (sparse) or array (dense), real or integer, general or symmetric
///   CSV            one row per line
///
/// Errors   InvalidArgument with the file, and the line where there are lines. Sizes that a header claims are compared
///          with the limits of FiniteKernel and with the size of the file before anything is allocated
[[nodiscard]] FiniteKernel read_kernel(const std::string& path);

/// The nodes of a graph are the numbers that occur in its edge list, in increasing order.
struct Graph {
  std::size_t nodes = 0;
  std::vector<Edge> edges;
};

/// Reads one edge per line: two node numbers and possibly a weight, separated by blanks or commas; lines that begin
/// with '#' or '%' are skipped.
[[nodiscard]] Graph read_edges(const std::string& path);

}  // namespace doeblin::pipeline
