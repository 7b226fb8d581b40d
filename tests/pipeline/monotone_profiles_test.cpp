// SPDX-License-Identifier: Apache-2.0
// A larger epsilon never has a larger delta, at absurd epsilons too: whatever asks a profile far out, such as a group,
// would otherwise take the end of the doubles for a loss.
#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"

namespace doeblin::pipeline {
namespace {

// Brackets of costly profiles have a width of their own, and those of all others end with a rounding (docs/limits.md,
// "A larger epsilon").
constexpr double kWidth = 1e-9;
constexpr double kRounding = 8 * 0x1p-52;

// What differs from 0 by less than any error is 0: these rose between epsilon 0 and 1e-300 by more than a rounding once.
constexpr const char* kNearZero[] = {
    "(randomized_response(p=1) + laplace(scale=0.02)) | truncated_geometric(states=5, ratio=0.5) | "
    "projected_laplace(sigma=0.5)",
    "((black_box(epsilon=1, delta=1) | binary_symmetric(flip=0.3)) + (gaussian(sigma=5) | binary_symmetric(flip=0.1))) "
    "| group(1)",
    "gaussian(sigma=1)",
    "laplace(scale=1) | poisson(rate=0.1)",
    "gaussian(sigma=3) | doeblin(gamma=0.3)",
    "discrete_gaussian(sigma=2) | without_replacement(n=10, m=3)",
};

constexpr const char* kExpressions[] = {
    "gaussian(sigma=1) | poisson(rate=0.01)",
    "gaussian(sigma=1) | poisson(rate=0.01) | group(3)",
    "gaussian(sigma=1) | poisson(rate=0.5, relation=substitute)",
    "gaussian(sigma=0.01) | poisson(rate=0.5, relation=substitute)",
    "gaussian(sigma=1000) | poisson(rate=0.5, relation=substitute)",
    "gaussian(sigma=1) | poisson(rate=0.5, relation=substitute) | group(2)",
    "gaussian(sigma=1) | poisson(rate=0.5, relation=substitute) | group(7)",
    "gaussian(sigma=1) | poisson(rate=0.5, relation=substitute) | with_replacement(n=100, m=10)",
    "gaussian(sigma=1) | poisson(rate=0.5, relation=substitute) | without_replacement(n=10, m=5)",
    "gaussian(sigma=1) | with_replacement(n=100, m=10)",
    "gaussian(sigma=1) | with_replacement(n=100, m=10) | group(2)",
    "gaussian(sigma=1) | with_replacement(n=100, m=10, relation=add_remove)",
    "gaussian(sigma=1) | with_replacement(n=100, m=10, relation=add_remove) | group(3)",
    "laplace(scale=1) | with_replacement(n=100, m=10) | group(2)",
    "laplace(scale=1) | without_replacement(n=100, m=10) | group(2)",
    "black_box(epsilon=1, delta=1e-5) | group(3)",
    "black_box(epsilon=1, delta=1e-5) | with_replacement(n=20, m=5) | group(3)",
    "rdp(alpha=3, epsilon=0.5) | poisson(rate=0.1) | group(2)",
    "gaussian(sigma=2) | dobrushin(0.5) | poisson(rate=0.1) | group(2)",
    "noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, output=uniform_stop) | group(2)",
    "noisy_sgd(n=10, learning_rate=0.5, sigma=2, lipschitz=1, smoothness=0.5, order=permuted) | group(2)",
    "noisy_sgd(n=1, learning_rate=0.5, sigma=0.1, lipschitz=1, smoothness=0.5, order=poisson)",
    "noisy_sgd(n=1, learning_rate=0.5, sigma=0.1, lipschitz=1, smoothness=0.5, order=poisson, analysis=public)",
    "noisy_sgd(n=2, learning_rate=0.5, sigma=0.1, lipschitz=1, smoothness=0.5, order=poisson)",
    "gaussian(sigma=0.01) + noisy_sgd(n=1, learning_rate=0.5, sigma=0.1, lipschitz=1, smoothness=0.5, order=poisson)",
    "twice_laplace(scale1=1, scale2=2) | poisson(rate=0.1) | group(2)",
    "discrete_gaussian(sigma=2) | poisson(rate=0.1) | group(2)",
    "gaussian(sigma=1) | poisson(rate=0.1) | compose(10)",
    "gaussian(sigma=1) | poisson(rate=0.1) | compose(10) | group(2)",
};

class MonotoneProfiles : public testing::TestWithParam<const char*> {};

TEST_P(MonotoneProfiles, DeltaNeverRisesWithEpsilon) {
  const Pipeline pipeline = parse(GetParam());
  double before = 1.0;
  for (const double epsilon : {0.0,
                               1e-300,
                               1e-10,
                               1e-5,
                               1e-3,
                               0.01,
                               0.1,
                               0.3,
                               0.7,
                               1.0,
                               1.5,
                               2.0,
                               3.0,
                               4.0,
                               5.0,
                               7.0,
                               8.5,
                               10.0,
                               15.0,
                               20.0,
                               30.0,
                               50.0,
                               70.0,
                               100.0,
                               200.0,
                               500.0,
                               720.0,
                               1e3,
                               1e4,
                               1e6,
                               1e10,
                               1e50,
                               1e100,
                               1e200,
                               1e300,
                               1.7e308,
                               rounding::kInfinity}) {
    const double upper = pipeline.delta(Epsilon(epsilon)).upper();
    EXPECT_LE(upper, before * (1.0 + kWidth)) << "at epsilon " << epsilon;
    before = std::min(before, upper);
  }
}

TEST_P(MonotoneProfiles, EpsilonNeverFallsWithDelta) {
  const Pipeline pipeline = parse(GetParam());
  double before = 0.0;
  for (const double delta : {1.0, 0.5, 1e-1, 1e-3, 1e-5, 1e-10, 1e-50, 1e-200, 1e-300}) {
    const double upper = pipeline.epsilon(Delta(delta)).upper();
    EXPECT_GE(upper, before * (1.0 - kWidth)) << "at delta " << delta;
    before = std::max(before, upper);
  }
}

TEST(MonotoneProfile, RisesByARoundingAtMostNearZero) {
  for (const char* expression : kNearZero) {
    const Pipeline pipeline = parse(expression);
    double before = pipeline.delta(Epsilon(0.0)).upper();
    for (const double epsilon : {5e-324, 1e-300, 1e-100, 1e-30, 1e-17, 1e-16, 1e-12, 1e-9}) {
      const double upper = pipeline.delta(Epsilon(epsilon)).upper();
      EXPECT_LE(upper, before * (1.0 + kRounding)) << expression << " at epsilon " << epsilon;
      before = std::min(before, upper);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Pipelines, MonotoneProfiles, testing::ValuesIn(kExpressions));

}  // namespace
}  // namespace doeblin::pipeline
