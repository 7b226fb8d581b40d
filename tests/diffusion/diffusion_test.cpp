// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/diffusion.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/profile/gaussian.hpp"
#include "support/generators.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

DiffusionMechanism mechanism_in(const test::Row& row) {
  return {{row["theta"], row["rho"]}, Bracket(row["time"]), row["sensitivity"]};
}

TEST(Diffusion, OrnsteinUhlenbeckDeltaMatchesTheTable) {
  test::check_table("diffusion_ornstein_uhlenbeck_delta.csv",
                    [](const test::Row& row) { return delta(gdp(mechanism_in(row)), Epsilon(row["epsilon"])); },
                    {.relative_width = 5e-10});
}

TEST(Diffusion, OrnsteinUhlenbeckTailsMatchTheTableInLogarithms) {
  for (const test::Row& row : test::read_table("diffusion_ornstein_uhlenbeck_delta.csv")) {
    const Bracket got = log_delta(gdp(mechanism_in(row)), Epsilon(row["epsilon"]));
    EXPECT_LE(got.lower(), row["log_down"]) << row.text;
    EXPECT_GE(got.upper(), row["log_up"]) << row.text;
  }
}

TEST(Diffusion, BrownianDeltaMatchesTheTable) {
  test::check_table("diffusion_brownian_delta.csv",
                    [](const test::Row& row) {
                      const DiffusionMechanism mechanism{{}, Bracket(row["time"]), row["sensitivity"]};
                      return delta(gdp(mechanism), Epsilon(row["epsilon"]));
                    },
                    {.relative_width = 1e-10});
}

TEST(Diffusion, TheLevelMatchesTheTable) {
  for (const test::Row& row : test::read_table("diffusion_level.csv")) {
    const Bracket mu = enclose(gdp(mechanism_in(row)).mu);
    EXPECT_LE(mu.lower(), row["truth_down"]) << row.text << mu;
    EXPECT_GE(mu.upper(), row["truth_up"]) << row.text << mu;
    EXPECT_LE(mu.relative_width(), 3e-15 * (1.0 + row["theta"] * row["time"])) << row.text << mu;
    const Bracket level = renyi_level(mechanism_in(row));
    EXPECT_LE(level.lower(), 0.5 * row["truth_down"] * row["truth_down"]) << row.text;
    EXPECT_GE(level.upper(), 0.5 * row["truth_up"] * row["truth_up"] * (1.0 - 1e-15)) << row.text;
  }
}

// P_s after P_t is P_{t+s}: decays multiply, and variances add after the later decay.
RC_GTEST_PROP(Diffusion, TransitionsFormASemigroup, ()) {
  const DiffusionProcess process{test::log_uniform(1e-6, 10.0), test::log_uniform(1e-3, 1e3)};
  const double t = test::log_uniform(1e-6, 20.0);
  const double s = test::log_uniform(1e-6, 20.0);
  const DiffusionTransition first = transition(process, Bracket(t));
  const DiffusionTransition second = transition(process, Bracket(s));
  const DiffusionTransition both = transition(process, Bracket(t) + s);
  const Bracket decay = first.decay * second.decay;
  RC_ASSERT(decay.lower() <= both.decay.upper() && both.decay.lower() <= decay.upper());
  const Bracket variance =
      second.decay * second.decay * first.deviation * first.deviation + second.deviation * second.deviation;
  const Bracket whole = both.deviation * both.deviation;
  RC_ASSERT(variance.lower() <= whole.upper() && whole.lower() <= variance.upper());
}

// The level is that of the Gaussian mechanism with the transition's mean and deviation (P1).
RC_GTEST_PROP(Diffusion, IsAGaussianMechanism, ()) {
  const DiffusionMechanism mechanism{{test::log_uniform(1e-9, 10.0), test::log_uniform(1e-3, 1e3)},
                                     Bracket(test::log_uniform(1e-6, 20.0)),
                                     test::log_uniform(1e-3, 1e3)};
  const DiffusionTransition law = transition(mechanism.process, mechanism.time);
  const Bracket mu = enclose(gdp(mechanism).mu);
  const double plain = mechanism.sensitivity * law.decay.middle() / law.deviation.middle();
  RC_ASSERT(std::fabs(plain - mu.middle()) <= 1e-13 * plain);
}

RC_GTEST_PROP(Diffusion, MoreOfEverythingIsMorePrivate, ()) {
  const double theta = test::log_uniform(1e-6, 10.0);
  const double rho = test::log_uniform(1e-3, 1e3);
  const double time = test::log_uniform(1e-6, 20.0);
  const double more = 1.0 + test::log_uniform(1e-6, 1.0);
  const auto mu = [](double a, double b, double c, double d) {
    return enclose(gdp(DiffusionMechanism{{a, b}, Bracket(c), d}).mu);
  };
  const double base = mu(theta, rho, time, 1.0).upper();
  RC_ASSERT(mu(theta * more, rho, time, 1.0).lower() <= base);
  RC_ASSERT(mu(theta, rho * more, time, 1.0).lower() <= base);
  RC_ASSERT(mu(theta, rho, time * more, 1.0).lower() <= base);
  RC_ASSERT(mu(theta, rho, time, more).upper() >= mu(theta, rho, time, 1.0).lower());
}

TEST(Diffusion, WithoutPullItIsBrownianMotion) {
  for (const double time : {1e-9, 0.5, 2.0, 1e9}) {
    const Bracket pulled = enclose(gdp(DiffusionMechanism{{0.0, 1.0}, Bracket(time), 3.0}).mu);
    const Bracket gaussian = enclose(gdp(Gaussian{std::sqrt(2.0 * time), 3.0}).mu);
    EXPECT_NEAR(pulled.middle() / gaussian.middle(), 1.0, 1e-15);
  }
}

TEST(Diffusion, RefusesWhatIsNoDiffusion) {
  const auto level = [](double theta, double rho, double time, double sensitivity) {
    static_cast<void>(gdp(DiffusionMechanism{{theta, rho}, Bracket(time), sensitivity}));
  };
  for (const double bad : {-1.0, rounding::kInfinity, std::nan("")}) {
    EXPECT_THROW(level(bad, 1.0, 1.0, 1.0), InvalidArgument) << bad;
    EXPECT_THROW(level(1.0, bad, 1.0, 1.0), InvalidArgument) << bad;
    EXPECT_THROW(level(1.0, 1.0, 1.0, bad), InvalidArgument) << bad;
  }
  EXPECT_THROW(level(1.0, 0.0, 1.0, 1.0), InvalidArgument);
  EXPECT_THROW(level(1.0, 1.0, 0.0, 1.0), InvalidArgument);
  EXPECT_THROW(level(1.0, 1.0, rounding::kInfinity, 1.0), InvalidArgument);
  // Noise that no double can hold.
  EXPECT_THROW(level(0.0, 1e308, 1e300, 1e308), InvalidArgument);
  level(1.0, 1.0, 1.0, 0.0);
}

TEST(Diffusion, ExtremesStayBrackets) {
  for (const double theta : {0.0, 5e-324, 1e-300, 1.0, 1e300})
    for (const double time : {1e-300, 1.0, 1e9}) {
      const Bracket mu = enclose(gdp(DiffusionMechanism{{theta, 1.0}, Bracket(time), 1.0}).mu);
      EXPECT_LE(mu.lower(), mu.upper());
      EXPECT_GT(mu.upper(), 0.0) << theta << " " << time;
    }
}

}  // namespace
}  // namespace doeblin
