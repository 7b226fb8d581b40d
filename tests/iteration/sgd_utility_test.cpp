// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/sgd_utility.hpp"

#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

SgdUtility utility(double steps, double sigma) {
  return {.steps = steps, .learning_rate = 0.05, .sigma = sigma, .lipschitz = 1.0, .diameter = 2.0, .dimension = 1.0};
}

TEST(SgdUtility, Formulas) {
  const SgdUtility run = utility(100.0, 2.0);
  EXPECT_DOUBLE_EQ(run.gradient_square(), 5.0);
  EXPECT_NEAR(random_stop_excess(run), 4.0 / (2.0 * 0.05 * 100.0) + 0.05 * 5.0 / 2.0, 1e-12);
  EXPECT_NEAR(skip_excess(run), 4.0 / (2.0 * 0.05 * 51.0) + 0.05 * 5.0 / 2.0, 1e-12);
  EXPECT_GE(last_iterate_excess(run), random_stop_excess(run));
  // Never worse than the far end of the domain.
  EXPECT_LE(random_stop_excess(utility(1.0, 100.0)), 2.0);
}

// F(w) = |w| on [-1, 1] with subgradients, from the end of the domain.
TEST(SgdUtility, HoldsInSimulation) {
  std::mt19937_64 random(7);
  const double sigma = 1.0, eta = 0.05;
  const int steps = 200, runs = 4000;
  std::normal_distribution<double> noise(0.0, sigma);
  double last = 0.0, stopped = 0.0, skipped = 0.0;
  for (int k = 0; k < runs; ++k) {
    const int stop = 1 + static_cast<int>(random() % steps);
    const int length = steps - static_cast<int>(random() % (steps / 2 + 1));
    double w = 1.0;
    for (int t = 1; t <= steps; ++t) {
      const double gradient = w > 0.0 ? 1.0 : -1.0;
      w = std::min(1.0, std::max(-1.0, w - eta * (gradient + noise(random))));
      if (t == stop) stopped += std::fabs(w);
      if (t == length) skipped += std::fabs(w);
    }
    last += std::fabs(w);
  }
  const SgdUtility run{
      .steps = 200.0, .learning_rate = eta, .sigma = sigma, .lipschitz = 1.0, .diameter = 2.0, .dimension = 1.0};
  EXPECT_LE(stopped / runs, random_stop_excess(run));
  EXPECT_LE(skipped / runs, skip_excess(run));
  EXPECT_LE(last / runs, last_iterate_excess(run));
}

}  // namespace
}  // namespace doeblin
