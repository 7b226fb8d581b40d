// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/gradient_step.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/iteration/published_iteration.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

TEST(GradientStep, LipschitzConstant) {
  EXPECT_EQ(gradient_lipschitz(0.5, 0.5, 0.0), Bracket(1.0));
  EXPECT_NEAR(gradient_lipschitz(0.7, 0.5, 0.4).upper(), 0.72, 1e-15);
  // beta = 1, rho = 0.1, eta = 1.95: the steep side decides.
  EXPECT_NEAR(gradient_lipschitz(1.95, 1.0, 0.1).upper(), 0.95, 1e-15);
  EXPECT_NEAR(gradient_lipschitz(3.0, 1.0, 0.0).upper(), 2.0, 1e-15);
  EXPECT_EQ(gradient_lipschitz(1.0, 1.0, 1.0), Bracket(0.0));
  EXPECT_EQ(gradient_lipschitz(1.0, 0.0, 0.0), Bracket(1.0));  // linear losses
}

RC_GTEST_PROP(GradientStep, NeverAboveThePublishedConstant, ()) {
  const double beta = test::log_uniform(1e-3, 1e3);
  const double rho = beta * test::uniform(0.0, 1.0);
  const double eta = 2.0 / (beta + rho) * test::uniform(1e-6, 1.0);
  RC_ASSERT(gradient_lipschitz(eta, beta, rho).upper() <= published_lipschitz(eta, beta, rho) * (1.0 + 1e-14));
}

RC_GTEST_PROP(GradientStep, EnclosesTheConstantOfQuadratics, ()) {
  // f(w) = h w^2/2 with rho <= h <= beta: the step multiplies by 1 - eta h.
  const double beta = test::log_uniform(1e-3, 1e3);
  const double rho = beta * test::uniform(0.0, 1.0);
  const double h = rho + (beta - rho) * test::uniform(0.0, 1.0);
  const double eta = test::log_uniform(1e-3, 1e3);
  RC_ASSERT(std::fabs(1.0 - eta * h) <= gradient_lipschitz(eta, beta, rho).upper() * (1.0 + 1e-12) + 1e-12);
}

TEST(GradientStep, ShiftAndNoise) {
  const GradientStep step{.learning_rate = 0.5, .sigma = 2.0, .lipschitz = 3.0, .batch = 4.0};
  EXPECT_EQ(step.noise(), Bracket(1.0));
  EXPECT_EQ(step.shift(Relation::kSubstitute), Bracket(0.75));
  EXPECT_EQ(step.shift(Relation::kZeroOut), Bracket(0.375));
}

TEST(GradientStep, RefusesNonsense) {
  EXPECT_THROW(static_cast<void>(gradient_lipschitz(0.0, 1.0, 0.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(gradient_lipschitz(1.0, 0.3, 0.4)), InvalidArgument);  // figure 3 of [ADC20]
  EXPECT_THROW(static_cast<void>(gradient_lipschitz(std::nan(""), 1.0, 0.0)), InvalidArgument);
  EXPECT_THROW(GradientStep({.learning_rate = 1.0, .sigma = 0.0, .lipschitz = 1.0}).validate(), InvalidArgument);
  EXPECT_THROW(GradientStep({.learning_rate = 1.0, .sigma = 1.0, .lipschitz = -1.0}).validate(), InvalidArgument);
  EXPECT_THROW(GradientStep({.learning_rate = 1.0, .sigma = 1.0, .lipschitz = 1.0, .batch = 1.5}).validate(),
               InvalidArgument);
  EXPECT_THROW(GradientStep({.learning_rate = 1e-200, .sigma = 1.0, .lipschitz = 1.0}).validate(), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
