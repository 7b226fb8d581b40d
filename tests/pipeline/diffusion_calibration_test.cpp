// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/diffusion_calibration.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/generators.hpp"

namespace doeblin::pipeline {
namespace {

std::optional<OpenDiffusion> open_diffusion_in(const char* text) { return open_diffusion(language::parse_open(text)); }

RC_GTEST_PROP(DiffusionCalibration, MeetsTheTargetAndHardlyMore, ()) {
  const DiffusionTarget target{.epsilon = test::log_uniform(1e-2, 20.0),
                               .delta = test::log_uniform(1e-100, 0.1),
                               .time = test::log_uniform(1e-2, 1e2),
                               .sensitivity = test::log_uniform(1e-3, 1e3),
                               .value = {std::floor(test::log_uniform(1.0, 1e4)), test::log_uniform(1e-2, 1e3)}};
  const CalibratedDiffusion found = calibrate(target);
  const Epsilon epsilon(target.epsilon);
  RC_ASSERT(found.pipeline.delta(epsilon).upper() <= *target.delta);
  RC_ASSERT(found.pipeline.delta(epsilon).upper() >= *target.delta * (1.0 - 1e-9));
  RC_ASSERT(delta(Gdp::level(found.mu), epsilon).upper() <= *target.delta);
  RC_ASSERT(delta(Gdp::level(found.mu * (1.0 + 1e-12)), epsilon).upper() > *target.delta * (1.0 - 1e-13));
  // All rivals have the same privacy; none beats the shrunk Gaussian, and Theorem 8 reaches it.
  RC_ASSERT(found.published.error <= found.gaussian_error * (1.0 + 1e-10));
  RC_ASSERT(std::fabs(found.published.error - found.shrunk_error) <= 1e-9 * found.shrunk_error);
  // Theorem 8's choice is the best one: the two differ by rounding.
  RC_ASSERT(found.least.error <= found.published.error * (1.0 + 1e-12));
  RC_ASSERT(found.least.error >= found.shrunk_error * (1.0 - 1e-9));
}

TEST(DiffusionCalibration, ARenyiTargetIsMet) {
  const DiffusionTarget target{.epsilon = 1.0, .alpha = 8.0, .value = {10.0, 5.0}};
  const CalibratedDiffusion found = calibrate(target);
  EXPECT_LE(found.pipeline.rdp(Alpha(8.0)).upper(), 1.0);
  EXPECT_GE(found.pipeline.rdp(Alpha(8.0)).upper(), 1.0 - 1e-12);
  EXPECT_LE(found.mu, 0.5);
  EXPECT_NEAR(found.mu, 0.5, 1e-12);
}

TEST(DiffusionCalibration, RefusesWhatCannotBeMet) {
  const BoundedValue value{10.0, 5.0};
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = 1.0, .value = value})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = 1.0, .delta = 1e-6, .alpha = 2.0, .value = value})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = 1.0, .delta = 0.0, .value = value})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = std::nan(""), .delta = 0.1, .value = value})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = 0.0, .alpha = 2.0, .value = value})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = 1.0, .delta = 1e-6, .time = 0.0, .value = value})),
               InvalidArgument);
  EXPECT_THROW(static_cast<void>(calibrate({.epsilon = 1.0, .delta = 1e-6, .value = {10.0, 0.0}})), InvalidArgument);
}

TEST(DiffusionCalibration, ReadsTheOpenForm) {
  const auto open = open_diffusion_in("ornstein_uhlenbeck(theta=?, rho=?, time=2, sensitivity=3)");
  ASSERT_TRUE(open);
  EXPECT_EQ(open->time, 2.0);
  EXPECT_EQ(open->sensitivity, 3.0);
  EXPECT_TRUE(open_diffusion_in("ornstein_uhlenbeck(?, ?, 1)"));
  EXPECT_FALSE(open_diffusion_in("ornstein_uhlenbeck(theta=?, rho=1, time=2)"));
  EXPECT_FALSE(open_diffusion_in("ornstein_uhlenbeck(theta=?, rho=?, time=?)"));
  EXPECT_FALSE(open_diffusion_in("gaussian(?)"));
  EXPECT_THROW(static_cast<void>(open_diffusion_in("ornstein_uhlenbeck(?, ?)")), InvalidArgument);
}

}  // namespace
}  // namespace doeblin::pipeline
