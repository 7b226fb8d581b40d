// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/named_kernels.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "doeblin/mixing/kernel_coefficients.hpp"
#include "support/generators.hpp"
#include "support/kernels.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

TEST(NamedKernels, KAryResponseMatchesTheTable) {
  const auto evaluate = [](const test::Row& row) {
    return hockey_stick(KAryResponse{row["k"], row["p"], row["steps"]}, Epsilon(row["epsilon"]));
  };
  test::check_table("mixing_k_ary_delta.csv", evaluate,
                    {.relative_width = 1e-8, .is_sensitive = [&](const test::Row& row) {
                       return test::is_ill_conditioned(row, "epsilon", evaluate) || row["steps"] > 1e5;
                     }});
}

TEST(NamedKernels, TruncatedGeometricMatchesTheTable) {
  const auto evaluate = [](const test::Row& row) {
    return hockey_stick(power(truncated_geometric(row["n"], row["ratio"]), row["steps"]), Epsilon(row["epsilon"]))
        .value;
  };
  // Rows that nearly agree, ratios next to 1, and e^epsilon beyond the doubles cost accuracy but not soundness.
  test::check_table("mixing_geometric_delta.csv", evaluate,
                    {.relative_width = 1e-7, .is_sensitive = [&](const test::Row& row) {
                       return test::is_ill_conditioned(row, "epsilon", evaluate) ||
                              row["truth_up"] < 1e-6 * row["steps"] || row["epsilon"] > 700.0;
                     }});
}

// The matrix and the closed form are two routes to the same numbers.
RC_GTEST_PROP(NamedKernels, TheMatrixOfKAryResponseHasItsCoefficients, ()) {
  const KAryResponse response{*rc::gen::element(2.0, 3.0, 7.0), *rc::gen::element(0.0, 0.2, 0.5, 0.9, 1.0, 1.0 / 3.0),
                              *rc::gen::element(1.0, 2.0, 5.0)};
  const FiniteKernel by_power = power(finite_kernel({response.k, response.p, 1.0}), response.steps);
  const Epsilon epsilon(test::uniform(0.0, 2.0));
  for (const FiniteKernel& matrix : {finite_kernel(response), by_power}) {
    const Bracket found = hockey_stick(matrix, epsilon).value;
    const Bracket formula = hockey_stick(response, epsilon);
    RC_ASSERT(found.lower() <= formula.upper() && formula.lower() <= found.upper());
    RC_ASSERT(found.upper() <= formula.upper() + 1e-13);
    const Bracket doeblin = doeblin_coefficient(matrix).gamma;
    RC_ASSERT(doeblin.lower() <= doeblin_gamma(response).upper() && doeblin_gamma(response).lower() <= doeblin.upper());
  }
}

TEST(NamedKernels, ALazyWalkOnATriangleWithATail) {
  // 0-1, 1-2, 2-0, 2-3 (weight 2), and a node without edges.
  const FiniteKernel walk = lazy_walk(5, {{0, 1}, {1, 2}, {2, 0}, {2, 3, 2.0}}, 0.5);
  const auto entry = [&](std::size_t x, std::uint32_t y) {
    const KernelRow row = walk.row(x);
    for (std::size_t k = 0; k < row.values.size(); ++k)
      if (row.columns[k] == y) return row.values[k];
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(entry(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(entry(0, 1), 0.25);
  EXPECT_DOUBLE_EQ(entry(2, 3), 0.25);
  EXPECT_DOUBLE_EQ(entry(2, 0), 0.125);
  EXPECT_DOUBLE_EQ(entry(3, 2), 0.5);
  EXPECT_DOUBLE_EQ(entry(4, 4), 1.0);
  // 1/3 is not a double: the entries are charged.
  EXPECT_GT(lazy_walk(4, {{0, 1}, {0, 2}, {0, 3}}, 0.0).relative_error(), 0.0);
  EXPECT_EQ(dobrushin(power(walk, 100)).value.upper(), 1.0);  // the lonely node never mixes
}

// Against a plain table of weights: repeated edges in both directions, loops, repeated loops.
TEST(NamedKernels, LazyWalksOnMultigraphs) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 300; ++round) {
    const std::size_t nodes = 1 + random() % 5;
    const double laziness = round % 3 == 0 ? 0.0 : 0.25;
    std::vector<Edge> edges;
    std::vector<std::vector<double>> weights(nodes, std::vector<double>(nodes, 0.0));
    for (std::size_t k = 0; k < 1 + random() % 9; ++k) {
      const Edge edge{static_cast<std::uint32_t>(random() % nodes), static_cast<std::uint32_t>(random() % nodes),
                      static_cast<double>(1 + random() % 4)};
      edges.push_back(edge);
      weights[edge.first][edge.second] += edge.weight;
      if (edge.first != edge.second) weights[edge.second][edge.first] += edge.weight;
    }
    const FiniteKernel walk = lazy_walk(nodes, edges, laziness);
    std::vector<std::vector<long double>> exact;
    for (std::size_t x = 0; x < nodes; ++x) {
      double total = 0.0;
      for (const double weight : weights[x]) total += weight;
      std::vector<double> row(nodes, 0.0);
      const KernelRow stored = walk.row(x);
      for (std::size_t k = 0; k < stored.values.size(); ++k) row[stored.columns[k]] = stored.values[k];
      for (std::size_t y = 0; y < nodes; ++y) {
        const double moves = total > 0.0 ? (1.0 - laziness) * weights[x][y] / total : 0.0;
        if (y == 0) exact.emplace_back();
        exact.back().push_back((total > 0.0 ? (1.0L - laziness) * weights[x][y] / total : 0.0L) +
                               (x == y ? (total > 0.0 ? static_cast<long double>(laziness) : 1.0L) : 0.0L));
        EXPECT_NEAR(row[y], moves + (x == y ? (total > 0.0 ? laziness : 1.0) : 0.0), 1e-14);
      }
    }
    for (const double epsilon : {0.0, 0.5}) {
      long double largest = 0.0L;
      for (const auto& p : exact)
        for (const auto& q : exact) largest = std::max(largest, test::hockey_stick(p, q, epsilon));
      const Bracket found = hockey_stick(walk, Epsilon(epsilon)).value;
      EXPECT_GE(found.upper(), largest * (1.0L - 1e-18L));
      EXPECT_LE(found.lower(), largest * (1.0L + 1e-18L));
      EXPECT_LE(found.width(), 1e-13);
    }
  }
}

TEST(NamedKernels, Edges) {
  for (const KAryResponse& bad : {KAryResponse{1.0, 0.5}, KAryResponse{2.5, 0.5}, KAryResponse{2.0, -0.1},
                                  KAryResponse{2.0, std::nan("")}, KAryResponse{2.0, 0.5, 0.0}})
    EXPECT_THROW((void)mixing_kernel(bad), InvalidArgument);
  EXPECT_THROW((void)finite_kernel({5000.0, 0.5}), InvalidArgument);
  EXPECT_THROW((void)truncated_geometric(1.0, 0.5), InvalidArgument);
  EXPECT_THROW((void)truncated_geometric(5000.0, 0.5), InvalidArgument);
  EXPECT_THROW((void)truncated_geometric(3.0, 1.0), InvalidArgument);
  EXPECT_THROW((void)truncated_geometric(3.0, std::nan("")), InvalidArgument);
  EXPECT_THROW((void)lazy_walk(2, {{0, 1}}, 1.5), InvalidArgument);
  EXPECT_THROW((void)lazy_walk(2, {{0, 1, -1.0}}, 0.5), InvalidArgument);
  EXPECT_EQ(hockey_stick(KAryResponse{3.0, 1.0, 1e6}, Epsilon(5.0)).upper(), 1.0);
  EXPECT_EQ(dobrushin(truncated_geometric(4.0, 0.0)).value.upper(), 1.0);
}

}  // namespace
}  // namespace doeblin
