// SPDX-License-Identifier: Apache-2.0
// Included by the files that compile the product for one processor each; Eigen is in scope.
#pragma once

#include <Eigen/Core>

namespace doeblin {
namespace {

// Eigen packs larger products; by its EIGEN_GEMM_TO_COEFFBASED_THRESHOLD, 20, with room for other versions.
constexpr Eigen::Index kPacked = 64;

inline void multiply_with_eigen(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
                                std::size_t columns) {
  using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const auto m = static_cast<Eigen::Index>(rows);
  const auto k = static_cast<Eigen::Index>(inner);
  const auto n = static_cast<Eigen::Index>(columns);
  const Eigen::Map<const Matrix> left(a, m, k);
  const Eigen::Map<const Matrix> right(b, k, n);
  // Small products are not packed: which of their entries are fused depends on where the matrices lie in memory, unless
  // they are copied to where Eigen puts them.
  if (m + k + n < kPacked)
    Eigen::Map<Matrix>(c, m, n) = Matrix(Matrix(left) * Matrix(right));
  else
    Eigen::Map<Matrix>(c, m, n).noalias() = left * right;
}

}  // namespace
}  // namespace doeblin
