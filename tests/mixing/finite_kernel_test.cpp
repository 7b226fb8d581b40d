// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/finite_kernel.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "support/kernels.hpp"
#include "support/temporary_file.hpp"

namespace doeblin {
namespace {

double entry(const FiniteKernel& kernel, std::size_t x, std::size_t y) {
  const KernelRow row = kernel.row(x);
  if (row.columns.empty()) return row.values[y];
  for (std::size_t k = 0; k < row.values.size(); ++k)
    if (row.columns[k] == y) return row.values[k];
  return 0.0;
}

TEST(FiniteKernel, ExactRowsHaveNoError) {
  const FiniteKernel kernel = FiniteKernel::dense(2, 2, {0.25, 0.75, 1.0, 0.0});
  EXPECT_EQ(kernel.relative_error(), 0.0);
  EXPECT_EQ(kernel.absolute_error(), 0.0);
  EXPECT_EQ(kernel.enclosed(0.25), Bracket(0.25));
}

TEST(FiniteKernel, RowsAreNormalisedAndTheErrorIsCharged) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 200; ++round) {
    test::Rows rows = test::random_rows(random, 5, 7);
    for (double& value : rows[2]) value *= 1.0 + 0.9e-12;
    const auto exact = test::exact_rows(rows);
    for (const FiniteKernel& kernel : {test::dense_kernel(rows), test::sparse_kernel(rows)})
      for (std::size_t x = 0; x < 5; ++x)
        for (std::size_t y = 0; y < 7; ++y) {
          const Bracket known = kernel.enclosed(entry(kernel, x, y));
          EXPECT_LE(known.lower(), exact[x][y] * (1.0L + 1e-18L));
          EXPECT_GE(known.upper(), exact[x][y] * (1.0L - 1e-18L));
          EXPECT_LE(known.width(), 1e-14);
        }
  }
}

TEST(FiniteKernel, BadRowsAreRefusedByName) {
  const auto message = [](std::vector<double> values) {
    return test::message_of<InvalidArgument>([&] { (void)FiniteKernel::dense(2, 2, std::move(values)); });
  };
  EXPECT_EQ(message({0.5, 0.5, 0.5, 0.6}), "sum of row 2 = 1.1, need 1 (within 1e-12 per entry)");
  EXPECT_EQ(message({0.5, 0.5, -0.5, 1.5}), "row 2, column 1 = -0.5, need 0 <= entry <= 1");
  EXPECT_EQ(message({0.5, std::nan(""), 0.5, 0.5}), "row 1, column 2 = nan, need 0 <= entry <= 1");
  // The tolerance is 1e-12 per entry.
  EXPECT_EQ(message({0.5, 0.5 + 1.9e-12, 0.5, 0.5}), "nothing was thrown");
  EXPECT_NE(message({0.5, 0.5 + 2.1e-12, 0.5, 0.5}), "nothing was thrown");
  EXPECT_EQ(test::message_of<InvalidArgument>([] {
              (void)FiniteKernel::sparse(1, 2, {{0, 1, 0.5}, {0, 1, 0.5}});
            }),
            "row 1, column 2: the entry is given twice");
  EXPECT_EQ(test::message_of<InvalidArgument>([] {
              (void)FiniteKernel::sparse(2, 2, {{0, 1, 1.0}});
            }),
            "sum of row 2 = 0, need 1 (within 1e-12 per entry)");
}

TEST(FiniteKernel, ProductsEncloseTheExactOnes) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 100; ++round) {
    const std::size_t states = 1 + random() % 12;
    const std::size_t inner = 1 + random() % 12;
    const std::size_t outputs = 1 + random() % 12;
    const test::Rows first = test::random_rows(random, states, inner);
    const test::Rows second = test::random_rows(random, inner, outputs);
    const auto a = test::exact_rows(first);
    const auto b = test::exact_rows(second);
    for (const FiniteKernel& left : {test::dense_kernel(first), test::sparse_kernel(first)})
      for (const FiniteKernel& right : {test::dense_kernel(second), test::sparse_kernel(second)}) {
        const FiniteKernel both = product(left, right);
        for (std::size_t x = 0; x < states; ++x) {
          const auto exact = test::after(a[x], b);
          for (std::size_t y = 0; y < outputs; ++y) {
            const Bracket known = both.enclosed(entry(both, x, y));
            EXPECT_LE(known.lower(), exact[y] * (1.0L + 1e-18L));
            EXPECT_GE(known.upper(), exact[y] * (1.0L - 1e-18L));
            EXPECT_LE(known.width(), 1e-13);
          }
        }
      }
  }
}

TEST(FiniteKernel, UnderflowIsCharged) {
  // The product of the tiny entries is below the doubles, but not 0.
  const FiniteKernel kernel = FiniteKernel::dense(2, 2, {1.0, 1e-200, 1e-200, 1.0});
  const FiniteKernel dense = product(kernel, product(kernel, kernel));
  EXPECT_GT(dense.absolute_error(), 0.0);
  const FiniteKernel chain =
      FiniteKernel::sparse(3, 3, {{0, 1, 1e-200}, {0, 0, 1.0}, {1, 2, 1e-200}, {1, 1, 1.0}, {2, 2, 1.0}});
  const FiniteKernel twice = product(chain, chain);
  EXPECT_GT(twice.enclosed(entry(twice, 0, 2)).upper(), 0.0);
}

TEST(FiniteKernel, SizesThatDoNotMatchAreRefused) {
  const FiniteKernel wide = FiniteKernel::dense(1, 2, {0.5, 0.5});
  EXPECT_EQ(test::message_of<InvalidArgument>([&] { (void)product(wide, wide); }),
            "states = 1, need the 2 outputs of the kernel before it");
}

TEST(FiniteKernel, BoundsOfProducts) {
  const MixingBounds a{0.5, 0.75, 1.0};
  const MixingBounds b{0.25, 0.5, 1.0};
  const MixingBounds both = MixingBounds::joined(a, b);
  EXPECT_EQ(both.dobrushin, 0.125);
  EXPECT_EQ(both.doeblin, 0.375);
  EXPECT_NEAR(both.ultra_level, 0.4337808, 1e-6);  // the example of M5
  EXPECT_EQ(MixingBounds::joined(a, {}).ultra_level, 1.0);
  EXPECT_LT(MixingBounds::joined({1.0, 1.0, 1e-100}, {1.0, 1.0, 1e-100}).ultra_level, 1e-199);
}

}  // namespace
}  // namespace doeblin
