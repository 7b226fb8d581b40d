// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/tcdp.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/renyi_conversion.hpp"
#include "doeblin/profile/zcdp.hpp"

namespace doeblin {
namespace {

TEST(TruncatedCdp, IsAtMostAnyOfItsOrders) {
  const TruncatedCdp level{0.1, 6.0};
  for (const double epsilon : {0.0, 0.3, 1.0, 3.0, 10.0}) {
    const Bracket found = profile_of(level).delta(Epsilon(epsilon));
    double best = 1.0;
    for (double alpha = 1.01; alpha <= 6.0; alpha += 0.01)
      best = std::min(best, optimal_delta(RenyiPoint{alpha, 0.1 * alpha}, Epsilon(epsilon)).upper());
    EXPECT_LE(found.upper(), best * (1.0 + 1e-6)) << epsilon;
    EXPECT_GE(found.upper(), best * (1.0 - 1e-3)) << epsilon;
    EXPECT_NEAR(found.lower() / delta(Gdp::level(std::sqrt(0.2)), Epsilon(epsilon)).lower(), 1.0, 1e-9) << epsilon;
  }
}

// All orders are zCDP, fewer say less.
TEST(TruncatedCdp, LiesAboveConcentrated) {
  const Profile all = profile_of(Zcdp::level(0.2));
  for (const double delta : {1e-3, 1e-6, 1e-12}) {
    double before = all.epsilon(Delta(delta)).upper() * (1.0 - 1e-9);
    for (const double omega : {rounding::kInfinity, 50.0, 8.0, 2.0, 1.1}) {
      const double now = profile_of(TruncatedCdp{0.2, omega}).epsilon(Delta(delta)).upper();
      EXPECT_GE(now, before);
      before = now * (1.0 - 1e-9);
    }
  }
  EXPECT_NEAR(profile_of(TruncatedCdp{0.2, 1e9}).epsilon(Delta(1e-6)).upper(), all.epsilon(Delta(1e-6)).upper(), 1e-6);
}

TEST(TruncatedCdp, Edges) {
  const RenyiCurve curve = renyi_of(TruncatedCdp{0.5, 4.0});
  EXPECT_NEAR(curve.at(Alpha(4.0)).upper(), 2.0, 1e-12);
  EXPECT_TRUE(std::isinf(curve.at(Alpha(4.1)).upper()));
  EXPECT_EQ(curve.traits().largest_order, 4.0);
  EXPECT_EQ(profile_of(TruncatedCdp{0.0, 2.0}).delta(Epsilon(0.0)).upper(), 0.0);
  EXPECT_THROW(TruncatedCdp({0.1, 1.0}).validate(), InvalidArgument);
  EXPECT_THROW(TruncatedCdp({-0.1, 2.0}).validate(), InvalidArgument);
  EXPECT_THROW(TruncatedCdp({0.1, std::nan("")}).validate(), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
