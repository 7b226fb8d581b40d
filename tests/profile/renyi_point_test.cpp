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

// e^{(alpha - 1) D} = (e^{alpha l} + e^{(1 - alpha) l})/(1 + e^l), in another order than the program adds it up.
long double divergence_of_steps(long double level, long double alpha) {
  return (level + (std::log1p(std::exp((1 - 2 * alpha) * level)) - std::log1p(std::exp(-level))) / (alpha - 1));
}

RC_GTEST_PROP(RenyiPoint, StepsAreAsStrongAsTheBoundAllows, ()) {
  const double alpha = 1.0 + test::log_uniform(1e-2, 1e3), bound = test::log_uniform(1e-3, 1e2);
  const auto steps = strongest_steps({alpha, bound});
  RC_ASSERT(steps && steps->sensitivity == 1.0);
  const long double found = divergence_of_steps(1.0L / steps->scale, alpha);
  RC_ASSERT(found <= bound * (1.0L + 1e-14L / bound));
  RC_ASSERT(found >= bound * (1.0L - 1e-9L));
  // Those of a stronger bound are no stronger.
  RC_ASSERT(strongest_steps({alpha, 0.9 * bound})->scale > steps->scale);
  RC_ASSERT(strongest_steps({1.1 * alpha, bound})->scale > steps->scale * (1.0 - 1e-12));
}

TEST(RenyiPoint, StepsAtTheEdges) {
  EXPECT_FALSE(strongest_steps({2.0, 0.0}));
  EXPECT_FALSE(strongest_steps({2.0, rounding::kInfinity}));
  EXPECT_FALSE(strongest_steps({2.0, 1e-310}));
  EXPECT_FALSE(strongest_steps({2.0, 1e300}));
  for (const double bound : {1e-149, 1e-20, 1.0, 1e3, 1e149})
    for (const double alpha : {1.0 + 0x1p-52, 1.5, 1e6, 1e300}) {
      const auto steps = strongest_steps({alpha, bound});
      ASSERT_TRUE(steps) << alpha << " " << bound;
      EXPECT_LE(rdp(*steps, Alpha(alpha)).upper() * (steps->scale == rounding::div_up(1.0, bound) ? 0.0 : 1.0), bound)
          << alpha << " " << bound;
      EXPECT_LE(steps->scale, rounding::div_up(1.0, bound));
    }
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
