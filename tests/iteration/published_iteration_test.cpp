// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/published_iteration.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/table.hpp"

namespace doeblin {
namespace {

double rho(const Zcdp& zcdp) { return zcdp.rho.hi; }

TEST(PublishedIteration, RenyiLevels) {
  // sigma = 2, L = 1: ratio 1; person 39 of 40 has one later step.
  const PublishedRun run{.ratio = Bracket(1.0), .lipschitz = 1.0, .later = 1.0};
  EXPECT_NEAR(rho(feldman(run)), 0.25, 1e-15);
  EXPECT_NEAR(rho(balle(run)), 0.5, 1e-15);
  const PublishedRun last{.ratio = Bracket(1.0), .lipschitz = 0.5, .later = 0.0};
  EXPECT_NEAR(rho(balle(last)), 0.5, 1e-15);
  const PublishedRun contracting{.ratio = Bracket(2.0), .lipschitz = 0.83, .later = 10.0};
  EXPECT_NEAR(rho(balle(contracting)), 2.0 * std::pow(0.83, 11.0) / 10.0, 1e-14);
  // E epochs: (ratio^2/2)((E-1)/n + 1/(n-i+1)).
  const PublishedRun epochs{.ratio = Bracket(1.0), .lipschitz = 1.0, .later = 3.0, .epochs = 5.0, .period = 40.0};
  EXPECT_NEAR(rho(feldman(epochs)), 0.5 * (4.0 / 40.0 + 0.25), 1e-15);
}

TEST(PublishedIteration, WhereTheyDoNotApply) {
  EXPECT_THROW(static_cast<void>(feldman({.ratio = Bracket(1.0), .lipschitz = 1.1, .later = 1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(balle({.ratio = Bracket(1.0), .lipschitz = 1.0, .later = 1.0, .epochs = 2.0})),
               InvalidArgument);
  // beta = 1, rho = 0.1, eta = 1.95: the printed constant would be 0.803, the true one is 0.95.
  EXPECT_THROW(static_cast<void>(published_lipschitz(1.95, 1.0, 0.1)), InvalidArgument);
}

TEST(PublishedIteration, TheirLipschitzConstant) {
  EXPECT_NEAR(published_lipschitz(0.7, 0.5, 0.4), std::sqrt(1.0 - 2.0 * 0.7 * 0.5 * 0.4 / 0.9), 1e-15);
  EXPECT_EQ(published_lipschitz(0.5, 0.5, 0.0), 1.0);
}

TEST(PublishedIteration, ProductMatchesTheTable) {
  for (const test::Row& row : test::read_table("iteration_asoodeh_logdelta.csv")) {
    const PublishedRun run{
        .ratio = Bracket(row["shift"]) / row["noise"], .lipschitz = row["lipschitz"], .later = row["later"]};
    const double got = asoodeh_log_delta(run, Bracket(row["diameter"]) / row["noise"], Epsilon(row["epsilon"]));
    EXPECT_GE(got, row["truth_up"]) << row.text;
    EXPECT_LE(got, row["truth_up"] * (1.0 - 1e-10) + 1e-12) << row.text;
  }
}

TEST(PublishedIteration, LaplaceAtTheLastStepIsNotZeroTooEarly) {
  // The corollary of [ADC20] Theorem 3 fails at i = n: there delta is 0 only from epsilon = 2L/v on.
  const PublishedRun last{.ratio = Bracket(2.0), .lipschitz = 1.0, .later = 0.0};
  EXPECT_GT(asoodeh_laplace_log_delta(last, Bracket(0.1), Epsilon(1.0)), -2.0);
  EXPECT_EQ(asoodeh_laplace_log_delta(last, Bracket(0.1), Epsilon(2.0)), -rounding::kInfinity);
}

TEST(PublishedIteration, LaplaceIsItsFormula) {
  const PublishedRun run{.ratio = Bracket(2.0), .lipschitz = 0.5, .later = 3.0};
  for (const double epsilon : {0.0, 0.5, 1.25}) {
    const long double truth =
        std::log1p(-std::exp((epsilon - 2.0L) / 2)) + 3 * std::log1p(-std::exp((epsilon - 1.5L) / 2));
    const double got = asoodeh_laplace_log_delta(run, Bracket(3.0), Epsilon(epsilon));
    EXPECT_GE(got, truth) << epsilon;
    EXPECT_LE(got, truth * (1 - 1e-12L)) << epsilon;
  }
}

}  // namespace
}  // namespace doeblin
