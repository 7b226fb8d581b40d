// SPDX-License-Identifier: Apache-2.0
// Included by the files that compile the product for one processor each; Eigen is in scope.
#pragma once

#include <Eigen/Core>

namespace doeblin {
namespace {

inline void multiply_with_eigen(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
                                std::size_t columns) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto m = static_cast<Eigen::Index>(rows);
  const auto k = static_cast<Eigen::Index>(inner);
  const auto n = static_cast<Eigen::Index>(columns);
  Eigen::Map<Matrix>(c, m, n).noalias() = Eigen::Map<const Matrix>(a, m, k) * Eigen::Map<const Matrix>(b, k, n);
}

}  // namespace
}  // namespace doeblin
