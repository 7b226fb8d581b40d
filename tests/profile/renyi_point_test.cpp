// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/renyi_point.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/renyi_conversion.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

// Renyi divergence of Bernoulli(p) from Bernoulli(q).
double divergence(double p, double q, double alpha) {
  const double a = alpha * std::log(p) + (1 - alpha) * std::log(q);
  const double b = alpha * std::log1p(-p) + (1 - alpha) * std::log1p(-q);
  const double peak = std::max(a, b);
  return (peak + std::log(std::exp(a - peak) + std::exp(b - peak))) / (alpha - 1.0);
}

TEST(RenyiPoint, LowerIsReachedInBothDirections) {
  // The best two-point pair with both divergences bounded, by a 50-digit search.
  struct Case {
    double alpha, divergence, epsilon, optimum;
  };
  for (const Case& c : {Case{20.0, 1.0, 0.0, 0.468486391766},
                        {2.0, 1.0, 0.0, 0.548168935540},
                        {8.0, 0.5, 0.0, 0.274892121108},
                        {100.0, 2.0, 0.5, 0.684620633445},
                        {1.5, 0.05, 0.0, 0.129273600483}}) {
    const Bracket got = profile_of(RenyiPoint{c.alpha, c.divergence}).delta(Epsilon(c.epsilon));
    EXPECT_LE(got.lower(), c.optimum + 1e-11);
    EXPECT_GE(got.upper(), c.optimum);
    EXPECT_GE(got.lower(), 0.8 * c.optimum);
  }
}

// A random pair that meets the bound in both directions stays below the upper end.
RC_GTEST_PROP(RenyiPoint, UpperCoversEveryPair, ()) {
  const double alpha = 1.0 + test::log_uniform(0.05, 50.0);
  const double p = test::uniform(1e-3, 0.999);
  const double q = test::uniform(1e-3, 0.999);
  const double level = std::max(divergence(p, q, alpha), divergence(q, p, alpha));
  if (!(level > 1e-9)) return;
  const double epsilon = test::uniform(0.0, 2.0);
  const double reached = std::max(p - std::exp(epsilon) * q, (1.0 - p) - std::exp(epsilon) * (1.0 - q));
  const Bracket got = profile_of(RenyiPoint{alpha, level * (1.0 + 1e-9)}).delta(Epsilon(epsilon));
  RC_ASSERT(got.upper() >= reached * (1.0 - 1e-10));
}

RC_GTEST_PROP(RenyiPoint, EndsMeetInTheTail, ()) {
  const RenyiPoint point{1.0 + test::log_uniform(0.2, 20.0), test::log_uniform(0.01, 1.0)};
  const double delta = test::log_uniform(1e-20, 1e-6);
  const Bracket got = profile_of(point).epsilon(Delta(delta));
  RC_ASSERT(got.upper() == optimal_epsilon(point, Delta(delta)).upper());
  RC_ASSERT(got.lower() <= got.upper());
}

TEST(RenyiPoint, SaysNothingAboveItsOrderAndEnoughBelow) {
  const RenyiCurve curve = renyi_of(RenyiPoint{4.0, 1.0});
  EXPECT_EQ(curve.at(Alpha(5.0)), Bracket(rounding::kInfinity));
  EXPECT_EQ(curve.at(Alpha(4.0)), Bracket(1.0));
  EXPECT_EQ(curve.at(Alpha(2.0)), Bracket(0.5, 1.0));
  EXPECT_FALSE(curve.traits().tight);
}

TEST(RenyiPoint, Edges) {
  EXPECT_EQ(profile_of(RenyiPoint{2.0, 0.0}).delta(Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(profile_of(RenyiPoint{2.0, rounding::kInfinity}).delta(Epsilon(5.0)), Bracket(1.0));
  EXPECT_EQ(profile_of(RenyiPoint{2.0, rounding::kInfinity}).epsilon(Delta(0.5)), Bracket(rounding::kInfinity));
  EXPECT_EQ(profile_of(RenyiPoint{2.0, 1.0}).delta(Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_THROW(static_cast<void>(profile_of(RenyiPoint{1.0, 1.0})), InvalidArgument);
  EXPECT_THROW(static_cast<void>(renyi_of(RenyiPoint{2.0, -1.0})), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
