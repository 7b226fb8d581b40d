// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "doeblin/mixing/finite_kernel.hpp"

/// Random kernels of all sorts, and their coefficients by plain enumeration in extended precision.
namespace doeblin::test {

using Rows = std::vector<std::vector<double>>;

/// Rows with zeros, repeated rows, absorbing states, tiny entries or none of these, as the seed has it.
inline Rows random_rows(std::mt19937_64& random, std::size_t states, std::size_t outputs) {
  std::exponential_distribution<double> exponential(1.0);
  std::uniform_real_distribution<double> uniform(0.0, 1.0);
  const bool has_zeros = uniform(random) < 0.4;
  const bool has_copies = uniform(random) < 0.3;
  const bool is_absorbing = uniform(random) < 0.2;
  const bool has_tiny = uniform(random) < 0.2;
  const double density = has_zeros ? uniform(random) : 1.0;
  Rows rows;
  for (std::size_t x = 0; x < states; ++x) {
    if (has_copies && x > 0 && uniform(random) < 0.5) {
      rows.push_back(rows[random() % x]);
      continue;
    }
    std::vector<double> row(outputs, 0.0);
    double sum = 0.0;
    for (double& entry : row)
      if (uniform(random) < density) sum += entry = has_tiny && uniform(random) < 0.3 ? 1e-12 : exponential(random);
    if (sum == 0.0 || (is_absorbing && uniform(random) < 0.2)) {
      std::fill(row.begin(), row.end(), 0.0);
      row[x % outputs] = sum = 1.0;
    }
    for (double& entry : row) entry /= sum;
    rows.push_back(row);
  }
  return rows;
}

inline FiniteKernel dense_kernel(const Rows& rows) {
  std::vector<double> values;
  for (const auto& row : rows) values.insert(values.end(), row.begin(), row.end());
  return FiniteKernel::dense(rows.size(), rows[0].size(), std::move(values));
}

inline FiniteKernel sparse_kernel(const Rows& rows) {
  std::vector<FiniteKernel::Entry> entries;
  for (std::uint32_t x = 0; x < rows.size(); ++x)
    for (std::uint32_t y = 0; y < rows[x].size(); ++y)
      if (rows[x][y] > 0.0) entries.push_back({x, y, rows[x][y]});
  return FiniteKernel::sparse(rows.size(), rows[0].size(), std::move(entries));
}

/// The rows as they are meant, divided by their sums.
inline std::vector<std::vector<long double>> exact_rows(const Rows& rows) {
  std::vector<std::vector<long double>> result;
  for (const auto& row : rows) {
    long double sum = 0.0L;
    for (const double entry : row) sum += entry;
    result.emplace_back();
    for (const double entry : row) result.back().push_back(entry / sum);
  }
  return result;
}

inline long double hockey_stick(const std::vector<long double>& p, const std::vector<long double>& q,
                                long double epsilon) {
  long double sum = 0.0L;
  const long double g = std::exp(epsilon);
  for (std::size_t y = 0; y < p.size(); ++y) sum += std::max(0.0L, p[y] - g * q[y]);
  return sum;
}

inline std::vector<long double> after(const std::vector<long double>& law,
                                      const std::vector<std::vector<long double>>& kernel) {
  std::vector<long double> result(kernel[0].size(), 0.0L);
  for (std::size_t x = 0; x < law.size(); ++x)
    for (std::size_t y = 0; y < result.size(); ++y) result[y] += law[x] * kernel[x][y];
  return result;
}

}  // namespace doeblin::test
