// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/zcdp.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_conversion.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

RC_GTEST_PROP(Zcdp, GaussianMechanismsLieBetweenTheEnds, ()) {
  const double rho = test::log_uniform(1e-4, 5.0);
  const double delta = test::log_uniform(1e-15, 0.1);
  const Bracket got = profile_of(Zcdp::level(rho)).epsilon(Delta(delta));
  const Bracket gaussian = profile_of(Gdp{sqrt(numerics::Wide(2.0 * rho))}).epsilon(Delta(delta));
  RC_ASSERT(got.lower() <= gaussian.upper());
  RC_ASSERT(got.upper() >= gaussian.lower());
}

// A pure eps-DP mechanism is eps^2/2-zCDP: its profile must stay below the upper end.
RC_GTEST_PROP(Zcdp, PureMechanismsObeyTheUpperEnd, ()) {
  const double level = test::log_uniform(0.05, 2.0);
  const double epsilon = test::uniform(0.0, level);
  const double upper = profile_of(Zcdp::level(level * level / 2.0)).delta(Epsilon(epsilon)).upper();
  RC_ASSERT(upper >= delta(Laplace{1.0 / level}, Epsilon(epsilon)).lower());
}

// The upper end is what the best order implies, found here by ever closer scans of log(alpha - 1).
TEST(Zcdp, TheUpperEndIsThatOfTheBestOrder) {
  for (const double rho : {0.01, 0.5, 3.0}) {
    const Delta delta(1e-6);
    double centre = 0.0, best = rounding::kInfinity;
    for (double spread = 8.0; spread > 1e-4; spread /= 8.0)
      for (double u = centre - spread, end = centre + spread; u <= end; u += spread / 12.0) {
        const double alpha = 1.0 + std::exp(u);
        const double found = optimal_epsilon({alpha, rounding::mul_down(alpha, rho)}, delta).lower();
        if (found < best) best = found, centre = u;
      }
    const double upper = profile_of(Zcdp::level(rho)).epsilon(delta).upper();
    EXPECT_GE(upper, best * (1.0 - 1e-8)) << rho;
    EXPECT_LE(upper, best * (1.0 + 1e-5)) << rho;
  }
}

TEST(Zcdp, RenyiIsLinear) {
  EXPECT_EQ(rdp(Zcdp::level(0.5), Alpha(4.0)), Bracket(2.0));
  EXPECT_EQ(rdp(Zcdp::level(0.0), Alpha(rounding::kInfinity)), Bracket(0.0));
}

TEST(Zcdp, GroupIsQuadratic) { EXPECT_EQ(rdp(group(Zcdp::level(0.5), 3.0), Alpha(2.0)), Bracket(9.0)); }

TEST(Zcdp, Edges) {
  EXPECT_EQ(profile_of(Zcdp::level(0.0)).delta(Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(profile_of(Zcdp::level(0.5)).delta(Epsilon(rounding::kInfinity)), Bracket(0.0));
  for (const double bad : {-1.0, std::nan(""), rounding::kInfinity})
    EXPECT_THROW(static_cast<void>(Zcdp::level(bad)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
