// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/gdp.hpp"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "support/mechanism_properties.hpp"

namespace doeblin {
namespace {

RC_GTEST_PROP(Gdp, HasTheShapeOfAProfile, ()) {
  const double mu = test::log_uniform(1e-6, 30.0);
  test::check_profile(profile_of(Gdp::level(mu)), mu * (mu / 2.0 + 10.0));
}

RC_GTEST_PROP(Gdp, GroupScalesTheLevel, ()) {
  const double mu = test::log_uniform(1e-3, 3.0);
  const double epsilon = test::log_uniform(1e-3, 10.0);
  const Bracket grouped = delta(group(Gdp::level(mu), 3.0), Epsilon(epsilon));
  RC_ASSERT(grouped.upper() >= delta(Gdp::level(mu), Epsilon(epsilon)).lower());
  const Bracket direct = delta(Gdp{numerics::Wide(mu) * 3.0}, Epsilon(epsilon));
  RC_ASSERT(grouped == direct);
}

TEST(Gdp, RenyiIsLinearInTheOrder) {
  EXPECT_EQ(rdp(Gdp::level(2.0), Alpha(3.0)), Bracket(6.0));
  EXPECT_EQ(rdp(Gdp::level(0.0), Alpha(3.0)), Bracket(0.0));
  EXPECT_EQ(rdp(Gdp::level(2.0), Alpha(rounding::kInfinity)), Bracket(rounding::kInfinity));
}

TEST(Gdp, RenyiOfATinyLevelIsNotNegative) {
  EXPECT_EQ(rdp(Gdp::level(1e-300), Alpha(1e12)).lower(), 0.0);
  EXPECT_GT(rdp(Gdp::level(1e-300), Alpha(1e12)).upper(), 0.0);
}

TEST(Gdp, LogDeltaAgreesWithDelta) {
  const Bracket d = delta(Gdp::level(1.0), Epsilon(2.0));
  const Bracket l = log_delta(Gdp::level(1.0), Epsilon(2.0));
  EXPECT_LE(l.lower(), std::log(d.upper()));
  EXPECT_GE(l.upper(), std::log(d.lower()));
}

TEST(Gdp, Edges) {
  EXPECT_THROW(static_cast<void>(Gdp::level(-1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(Gdp::level(rounding::kInfinity)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(Gdp::level(std::nan(""))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(group(Gdp::level(1.0), 0.0)), InvalidArgument);
  EXPECT_EQ(delta(Gdp::level(0.0), Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(profile_of(Gdp::level(1.0)).epsilon(Delta(1.0)), Bracket(0.0));
}

TEST(Gdp, ManyDeltasEncloseWhatSingleOnesDo) {
  for (const double mu : {1e-3, 0.5, 2.0, 20.0}) {
    const Profile profile = profile_of(Gdp::level(mu));
    std::vector<double> at;
    for (int i = 0; i < 3000; ++i) at.push_back(std::fmod(0.6180339887 * i, 1.0) * mu * (8.0 + mu));
    std::vector<double> lower(at.size());
    std::vector<double> upper(at.size());
    const double widest = profile.deltas(at, lower, upper);
    EXPECT_LE(widest, 1e-13);
    for (std::size_t i = 0; i < at.size(); ++i) {
      const Bracket one = profile.delta(Epsilon(at[i]));
      EXPECT_LE(lower[i], one.upper());
      EXPECT_GE(upper[i], one.lower());
      EXPECT_LE(upper[i] - lower[i], widest);
    }
  }
}

}  // namespace
}  // namespace doeblin
