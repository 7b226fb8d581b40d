// SPDX-License-Identifier: Apache-2.0
#include "mixing/dense_product.hpp"

#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

std::vector<double> drawn(std::size_t count, std::size_t offset, std::mt19937_64& generator) {
  std::vector<double> values(offset + count);
  for (std::size_t i = offset; i < values.size(); ++i) values[i] = std::generate_canonical<double, 53>(generator);
  return values;
}

// The product of the same matrices, each so many numbers behind the beginning of a block of memory.
std::vector<double> product(std::size_t rows, std::size_t inner, std::size_t columns, std::size_t offset) {
  std::mt19937_64 generator(rows * 10007 + inner * 101 + columns);
  const std::vector<double> a = drawn(rows * inner, offset, generator);
  const std::vector<double> b = drawn(inner * columns, (2 * offset) % 4, generator);
  std::vector<double> c(rows * columns + 4);
  multiply(a.data() + offset, b.data() + (2 * offset) % 4, c.data() + (3 * offset) % 4, rows, inner, columns);
  return {c.begin() + static_cast<std::ptrdiff_t>((3 * offset) % 4),
          c.begin() + static_cast<std::ptrdiff_t>((3 * offset) % 4 + rows * columns)};
}

TEST(DenseProduct, IsTheSameWhereverTheMatricesLie) {
  for (const std::size_t rows : {1U, 2U, 3U, 4U, 7U, 16U, 40U, 129U})
    for (const std::size_t inner : {1U, 2U, 3U, 4U, 5U, 8U, 19U, 70U})
      for (const std::size_t columns : {1U, 2U, 3U, 4U, 6U, 9U, 33U, 128U})
        for (const std::size_t offset : {1U, 2U, 3U})
          EXPECT_EQ(product(rows, inner, columns, offset), product(rows, inner, columns, 0))
              << rows << " " << inner << " " << columns << " " << offset;
}

TEST(DenseProduct, EverySumIsWithinItsBound) {
  constexpr std::size_t kInner = 37;
  std::mt19937_64 generator(5);
  const std::vector<double> a = drawn(3 * kInner, 0, generator);
  const std::vector<double> b = drawn(kInner * 5, 0, generator);
  std::vector<double> c(15);
  multiply(a.data(), b.data(), c.data(), 3, kInner, 5);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 5; ++j) {
      long double sum = 0.0L;
      for (std::size_t k = 0; k < kInner; ++k) sum += static_cast<long double>(a[i * kInner + k]) * b[k * 5 + j];
      EXPECT_LE(std::abs(static_cast<long double>(c[i * 5 + j]) - sum), (kInner + 1) * 0x1p-53L * sum);
    }
}

}  // namespace
}  // namespace doeblin
