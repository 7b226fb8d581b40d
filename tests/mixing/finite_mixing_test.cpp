// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/finite_mixing.hpp"

#include <random>

#include <gtest/gtest.h>

#include "doeblin/mixing/kernel_curve.hpp"
#include "support/kernels.hpp"
#include "support/temporary_file.hpp"

namespace doeblin {
namespace {

TEST(FiniteMixing, IsTheProductAndBelowTheBound) {
  std::mt19937_64 random(1);
  for (int round = 0; round < 100; ++round) {
    const std::size_t outputs = 2 + random() % 8;
    const test::Rows laws = test::random_rows(random, 2 + random() % 4, outputs);
    const test::Rows rows = test::random_rows(random, outputs, 2 + random() % 8);
    const auto pairs = test::exact_rows(laws);
    const auto exact = test::exact_rows(rows);
    const FiniteMechanism mechanism(laws);
    const FiniteMechanism after = processed(mechanism, test::dense_kernel(rows));
    const auto kernel = std::make_shared<const FiniteKernel>(test::sparse_kernel(rows));
    for (const double epsilon : {0.0, 0.4, 1.5}) {
      long double truth = 0.0L;
      for (const auto& p : pairs)
        for (const auto& q : pairs)
          truth = std::max(truth, test::hockey_stick(test::after(p, exact), test::after(q, exact), epsilon));
      const Bracket found = delta(after, Epsilon(epsilon));
      EXPECT_LE(found.lower(), static_cast<double>(truth) + 1e-18);
      EXPECT_GE(found.upper(), static_cast<double>(truth) - 1e-18);
      EXPECT_LE(found.width(), 1e-13);
      EXPECT_LE(found.lower(), mixed(profile_of(mechanism), mixing_kernel(kernel)).delta(Epsilon(epsilon)).upper());
    }
  }
}

TEST(FiniteMixing, KeepsTheNeighbours) {
  const FiniteMechanism mechanism({{1.0, 0.0}, {0.5, 0.5}, {0.0, 1.0}}, {{0, 1}, {1, 2}});
  const FiniteMechanism after = processed(mechanism, FiniteKernel::dense(2, 2, {0.75, 0.25, 0.25, 0.75}));
  EXPECT_EQ(after.adjacent(), mechanism.adjacent());
  EXPECT_GE(delta(after, Epsilon(0.0)).upper(), 0.25);
  EXPECT_LE(delta(after, Epsilon(0.0)).upper(), 0.25 + 1e-15);
}

TEST(FiniteMixing, RefusesAKernelOfAnotherSize) {
  const FiniteMechanism mechanism({{1.0, 0.0}, {0.5, 0.5}});
  EXPECT_EQ(test::message_of<InvalidArgument>([&] {
              (void)processed(mechanism, FiniteKernel::dense(3, 1, {1.0, 1.0, 1.0}));
            }),
            "states = 3, need the 2 outputs of the mechanism before it");
}

}  // namespace
}  // namespace doeblin
