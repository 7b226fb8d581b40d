// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/theta_inverse.hpp"

#include <gtest/gtest.h>

#include "doeblin/numerics/solve.hpp"
#include "doeblin/numerics/theta.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin::numerics {
namespace {

TEST(ThetaInverse, EnclosesTheTruth) {
  for (const test::Row& row : test::read_table("gaussian_epsilon.csv")) {
    const Bracket got = theta_inverse(row["delta"], ratio(row["sensitivity"], row["sigma"]));
    EXPECT_LE(got.lower(), row["truth_down"]) << row.text << got;
    EXPECT_GE(got.upper(), row["truth_up"]) << row.text << got;
  }
}

RC_GTEST_PROP(ThetaInverse, BothEndsAreCertified, ()) {
  const Wide r(test::log_uniform(1e-12, 1e4));
  const double delta = test::log_uniform(1e-300, 1.0);
  const Bracket epsilon = theta_inverse(delta, r);
  RC_ASSERT(theta(epsilon.upper(), r).upper() <= delta);
  if (epsilon.lower() > 0.0) RC_ASSERT(theta(epsilon.lower(), r).lower() > delta);
  const Bracket slow = first_at_most([&](double x) { return theta(x, r); }, delta);
  RC_ASSERT(epsilon.upper() >= slow.lower());
  RC_ASSERT(epsilon.upper() <= slow.upper() * (1.0 + 1e-9) + 1e-300);
}

RC_GTEST_PROP(LogThetaEstimate, AgreesWithTheBracketToTenDigits, ()) {
  const double r = test::log_uniform(1e-6, 1e3);
  const double epsilon = *rc::gen::element(0, 1) == 0 ? 0.0 : test::log_uniform(1e-9, 1e5);
  const Bracket truth = log_theta(epsilon, Wide(r));
  if (truth.lower() < -1e15) return;
  RC_ASSERT(std::fabs(log_theta_estimate(epsilon, r) - truth.middle()) <= 1e-10 + 1e-10 * std::fabs(truth.middle()));
}

TEST(ThetaInverse, Edges) {
  EXPECT_EQ(theta_inverse(1.0, Wide(5.0)), Bracket(0.0));
  EXPECT_EQ(theta_inverse(1e-5, Wide(0.0)), Bracket(0.0));
  EXPECT_EQ(theta_inverse(1e-5, Wide(1e-300)), Bracket(0.0));
  EXPECT_TRUE(std::isinf(theta_inverse(1e-5, Wide(rounding::kInfinity)).upper()));
  EXPECT_THROW(static_cast<void>(theta_inverse(0.0, Wide(1.0))), InvalidArgument);
  EXPECT_EQ(log_theta_estimate(rounding::kInfinity, 1.0), -rounding::kInfinity);
  EXPECT_EQ(log_theta_estimate(1.0, 0.0), -rounding::kInfinity);
  EXPECT_EQ(log_theta_estimate(1.0, rounding::kInfinity), 0.0);
}

}  // namespace
}  // namespace doeblin::numerics
