// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/matrix_file.hpp"

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/io/csv_rows.hpp"

namespace doeblin::io {
namespace {

constexpr TextLimits kMatrixLimits = {.file = std::uintmax_t{64} << 20, .line = std::size_t{1} << 20};

}  // namespace

std::vector<std::vector<double>> read_matrix(const std::string& path) {
  std::vector<std::vector<double>> rows;
  for_each_csv_row(path, kMatrixLimits,
                   [&](const std::vector<double>& row, const LineReader&) { rows.push_back(row); });
  return rows;
}

}  // namespace doeblin::io
