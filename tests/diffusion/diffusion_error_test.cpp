// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/diffusion_error.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

void expect_close(double got, const test::Row& row, const std::string& name) {
  EXPECT_LE(std::fabs(got - row[name + "_down"]), 2e-13 * row[name + "_up"]) << name << " " << row.text << got;
}

TEST(DiffusionError, MatchesTheTable) {
  for (const test::Row& row : test::read_table("diffusion_error.csv")) {
    const DiffusionProcess process{row["theta"], row["rho"]};
    expect_close(diffusion_error(process, row["time"], row["norm"], row["dimension"]), row, "mse_ou");
    const double mu = gdp(DiffusionMechanism{process, Bracket(row["time"]), row["sensitivity"]}).mu.hi;
    expect_close(gaussian_error(mu, row["sensitivity"], row["dimension"]), row, "mse_gaussian");
    expect_close(shrunk_gaussian_error(mu, row["sensitivity"], {row["dimension"], row["radius"]}), row, "mse_shrunk");
  }
}

// The table's parameters come from a search at high precision, not from the formula of Theorem 8.
TEST(DiffusionError, BothChoicesMatchTheTable) {
  for (const test::Row& row : test::read_table("diffusion_calibration.csv")) {
    const BoundedValue value{row["dimension"], row["radius"]};
    const double mu = std::sqrt(2.0 * row["level"]);
    for (const bool is_published : {true, false}) {
      const DiffusionMechanism found = is_published ? theorem_8(mu, row["sensitivity"], 1.0, value)
                                                    : least_error(mu, row["sensitivity"], 1.0, value);
      // A search knows half of the digits of a minimum's place, and fewer where the minimum is flat.
      const double digits = is_published ? 1e-12 : 1e-4;
      if (is_published || (row["theta_up"] > 1e-2 && row["theta_up"] < 5.0)) {
        EXPECT_NEAR(found.process.theta / row["theta_down"], 1.0, digits) << row.text;
        EXPECT_NEAR(found.process.rho * found.process.rho / row["rho_squared_down"], 1.0, 10.0 * digits) << row.text;
      }
      EXPECT_LE(enclose(gdp(found).mu).upper(), mu) << row.text;
      const double error = diffusion_error(found.process, 1.0, value.radius, value.dimension);
      EXPECT_NEAR(error / row["mse_down"], 1.0, 1e-11) << row.text;
    }
  }
}

// [BBGG19] Theorem 8: under its condition, at every time and for every value within the radius.
RC_GTEST_PROP(DiffusionError, OrnsteinUhlenbeckIsNeverWorseUnderTheCondition, ()) {
  const BoundedValue value{std::floor(test::log_uniform(1.0, 1e4)), test::log_uniform(1e-2, 1e2)};
  DiffusionProcess process{test::log_uniform(1e-6, 1e2), 1.0};
  process.rho =
      value.radius * std::sqrt(process.theta / (4.0 * value.dimension)) * (1.0 + test::log_uniform(1e-9, 10.0));
  RC_PRE(never_worse_than_gaussian(process, value));
  const double time = test::log_uniform(1e-6, 100.0) / process.theta;
  const double norm = value.radius * test::log_uniform(1e-3, 1.0);
  const double mu = gdp(DiffusionMechanism{process, Bracket(time), 1.0}).mu.hi;
  RC_PRE(mu > 0.0);
  RC_ASSERT(diffusion_error(process, time, norm, value.dimension) <=
            gaussian_error(mu, 1.0, value.dimension) * (1.0 + 1e-12));
}

TEST(DiffusionError, WithoutTheConditionItCanBeWorse) {
  // Little noise, a strong pull and a value at the radius.
  const BoundedValue value{1.0, 10.0};
  const DiffusionProcess process{1.0, 0.1};
  EXPECT_FALSE(never_worse_than_gaussian(process, value));
  const double mu = gdp(DiffusionMechanism{process, Bracket(0.1), 1.0}).mu.hi;
  EXPECT_GT(diffusion_error(process, 0.1, 10.0, 1.0), gaussian_error(mu, 1.0, 1.0));
}

RC_GTEST_PROP(DiffusionError, TheoremEightIsTheShrunkGaussian, ()) {
  const BoundedValue value{std::floor(test::log_uniform(1.0, 1e4)), test::log_uniform(1e-2, 1e2)};
  const double mu = test::log_uniform(1e-3, 10.0);
  const double sensitivity = test::log_uniform(1e-2, 1e2);
  const double time = test::log_uniform(1e-3, 1e3);
  const DiffusionMechanism found = theorem_8(mu, sensitivity, time, value);
  const double error = diffusion_error(found.process, time, value.radius, value.dimension);
  const double shrunk = shrunk_gaussian_error(mu, sensitivity, value);
  RC_ASSERT(std::fabs(error - shrunk) <= 1e-11 * shrunk);
  RC_ASSERT(error <= gaussian_error(mu, sensitivity, value.dimension) * (1.0 + 1e-12));
}

TEST(DiffusionError, RefusesWhatMakesNoSense) {
  EXPECT_THROW(static_cast<void>(theorem_8(1.0, 1.0, 1.0, {0.0, 1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(theorem_8(1.0, 1.0, 1.0, {1.5, 1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(theorem_8(1.0, 1.0, 1.0, {1.0, -1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(theorem_8(0.0, 1.0, 1.0, {1.0, 1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(theorem_8(1.0, 1.0, 0.0, {1.0, 1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(diffusion_error({}, 1.0, std::nan(""), 1.0)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
