// SPDX-License-Identifier: Apache-2.0
#include "audit/discriminant.hpp"

#include <algorithm>

#include <Eigen/Cholesky>
#include <Eigen/Core>

namespace doeblin::audit {
namespace {

constexpr Eigen::Index kMostCoordinates = 256;
constexpr double kRidge = 1e-3;

using Rows = Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Rows rows_of(const Outputs& outputs) {
  return {outputs.values.data(), static_cast<Eigen::Index>(outputs.count()),
          static_cast<Eigen::Index>(outputs.dimension)};
}

}  // namespace

std::vector<double> discriminant(const Outputs& first, const Outputs& second) {
  const Rows a = rows_of(first);
  const Rows b = rows_of(second);
  const Eigen::RowVectorXd mean_a = a.colwise().mean();
  const Eigen::RowVectorXd mean_b = b.colwise().mean();
  const Eigen::VectorXd difference = (mean_a - mean_b).transpose();
  const Eigen::MatrixXd centred_a = a.rowwise() - mean_a;
  const Eigen::MatrixXd centred_b = b.rowwise() - mean_b;
  const auto runs = static_cast<double>(a.rows() + b.rows());
  Eigen::VectorXd variances =
      (centred_a.colwise().squaredNorm() + centred_b.colwise().squaredNorm()).transpose() / runs;
  // Constant outputs have no variance at all.
  const double ridge = std::max(kRidge * variances.mean(), 1e-300);
  Eigen::VectorXd weights;
  if (difference.size() <= kMostCoordinates) {
    Eigen::MatrixXd covariance = (centred_a.transpose() * centred_a + centred_b.transpose() * centred_b) / runs;
    covariance.diagonal().array() += ridge;
    weights = covariance.llt().solve(difference);
  } else {
    weights = difference.array() / (variances.array() + ridge);
  }
  const double largest = weights.lpNorm<Eigen::Infinity>();
  // The same means, or numbers that no double holds: then no sum is better than another.
  if (!(largest > 0.0 && largest < 1e300)) return std::vector<double>(first.dimension, 1.0);
  weights /= largest;
  return {weights.begin(), weights.end()};
}

}  // namespace doeblin::audit
