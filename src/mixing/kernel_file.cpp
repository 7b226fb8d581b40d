// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_file.hpp"

#include "doeblin/io/kernel_file.hpp"

namespace doeblin::pipeline {

FiniteKernel read_kernel(const std::string& path) {
  io::StoredMatrix read = io::read_stored_matrix(path);
  const auto place = [&read](std::size_t row) { return read.place(row); };
  return read.is_sparse ? FiniteKernel::sparse(read.rows, read.columns, std::move(read.entries), place)
                        : FiniteKernel::dense(read.rows, read.columns, std::move(read.values), place);
}

}  // namespace doeblin::pipeline
