// SPDX-License-Identifier: Apache-2.0
#include "doeblin/audit/lower_bound.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/audit/confidence.hpp"
#include "doeblin/audit/verdict.hpp"
#include "doeblin/core/error.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/gdp.hpp"
#include "support/statistics.hpp"

namespace doeblin::audit {
namespace {

using test::normal_below;

TEST(LowerBound, EachSideGetsHalfOfTheFailure) {
  const EventBounds bounds = bounds_of({60, 100, 10, 200}, 0.1);
  EXPECT_EQ(bounds.likely_lower, binomial_lower(60, 100, 0.05));
  EXPECT_EQ(bounds.rare_upper, binomial_upper(10, 200, 0.05));
}

TEST(LowerBound, EpsilonIsTheLogarithmOfTheRatio) {
  EXPECT_NEAR(epsilon_lower({0.5, 0.25}, 0.0), std::log(2.0), 1e-15);
  EXPECT_LE(epsilon_lower({0.5, 0.25}, 0.0), std::log(2.0));
  EXPECT_NEAR(epsilon_lower({0.5, 0.1}, 0.1), std::log(4.0), 1e-14);
  EXPECT_LE(epsilon_lower({0.5, 0.1}, 0.1), std::log(4.0));
}

TEST(LowerBound, WhatShowsNothingGivesZero) {
  EXPECT_EQ(epsilon_lower({0.2, 0.3}, 0.0), 0.0);
  EXPECT_EQ(epsilon_lower({0.2, 0.2}, 0.0), 0.0);
  EXPECT_EQ(epsilon_lower({0.2, 1e-9}, 0.2), 0.0);
  EXPECT_EQ(epsilon_lower({0.2, 1e-9}, 0.9), 0.0);
  EXPECT_EQ(epsilon_lower({0.0, 1.0}, 0.0), 0.0);
  EXPECT_EQ(mu_lower({0.0, 1.0}), 0.0);
  EXPECT_EQ(mu_lower({0.3, 0.3}), 0.0);
  EXPECT_EQ(epsilon_lower(bounds_of({}, 1e-3), 0.0), 0.0);
  EXPECT_EQ(mu_lower(bounds_of({}, 1e-3)), 0.0);
}

TEST(LowerBound, StaysFiniteHoweverClearTheCase) {
  const EventBounds bounds = bounds_of({1e12, 1e12, 0, 1e12}, 1e-15);
  EXPECT_TRUE(std::isfinite(epsilon_lower(bounds, 0.0)));
  EXPECT_GT(epsilon_lower(bounds, 0.0), 20.0);
  EXPECT_TRUE(std::isfinite(mu_lower(bounds)));
  EXPECT_GT(mu_lower(bounds), 10.0);
}

TEST(LowerBound, RefusesADeltaThatIsNone) {
  EXPECT_THROW(static_cast<void>(epsilon_lower({0.5, 0.1}, -0.1)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(epsilon_lower({0.5, 0.1}, 1.0)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(epsilon_lower({0.5, 0.1}, std::nan(""))), InvalidArgument);
}

// From exact probabilities of a Gaussian, the level comes back whatever the threshold; never more of it.
RC_GTEST_PROP(MuProperty, IsFoundFromAnyThreshold, ()) {
  const double mu = *rc::gen::inRange(1, 400) / 100.0;
  const double t = *rc::gen::inRange(-300, 300) / 100.0;
  const EventBounds bounds{normal_below(mu - t), normal_below(-t)};
  const double found = mu_lower(bounds);
  // Close to 1 a probability itself is known only to 1e-16.
  RC_ASSERT(std::fabs(found - mu) < 1e-3 && (mu - t > 4.0 || std::fabs(found - mu) < 1e-10));
}

TEST(LowerBound, QuantilesAreOnTheSafeSide) {
  for (const double p : {1e-12, 1e-5, 0.3, 0.5, 0.9, 0.99999}) {
    const double q = 1e-15;
    const double mu = mu_lower({p, q});
    // A Gaussian with a smaller level could not have this event: at the level found, it still could.
    double low = -9.0;
    for (double high = 0.0; high - low > 1e-13;) {
      const double middle = 0.5 * (low + high);
      (normal_below(middle) < q ? low : high) = middle;
    }
    EXPECT_LE(normal_below(low + mu), p * (1.0 + 1e-9)) << p;
  }
}

TEST(LowerBound, GaussianEpsilonIsThatOfTheProfile) {
  const Bracket truth = profile_of(Gdp::level(1.0)).epsilon(Delta(1e-5));
  EXPECT_LE(gaussian_epsilon_lower(1.0, 1e-5), truth.upper());
  EXPECT_GE(gaussian_epsilon_lower(1.0, 1e-5), truth.lower());
  EXPECT_EQ(gaussian_epsilon_lower(0.0, 1e-5), 0.0);
  EXPECT_LT(gaussian_epsilon_lower(0.5, 1e-5), gaussian_epsilon_lower(0.6, 1e-5));
}

RC_GTEST_PROP(EpsilonProperty, GrowsWithHitsAndFallsWithDelta, ()) {
  const double n = *rc::gen::inRange(10, 100000);
  const double hits = *rc::gen::inRange(1, static_cast<int>(n));
  const double rare = *rc::gen::inRange(0, static_cast<int>(n));
  const double delta = *rc::gen::inRange(0, 100) / 1000.0;
  const auto found = [&](double more, double other, double d) {
    return epsilon_lower(bounds_of({more, n, other, n}, 1e-3), d);
  };
  const double value = found(hits, rare, delta);
  RC_ASSERT(std::isfinite(value) && value >= 0.0);
  RC_ASSERT(found(hits + 1.0, rare, delta) >= value);
  RC_ASSERT(found(hits, rare + 1.0, delta) <= value);
  RC_ASSERT(found(hits, rare, delta + 0.01) <= value);
  // Never above what the shares themselves say.
  if (rare > 0.0) RC_ASSERT(value <= std::max(0.0, std::log(hits / rare)) + 1e-12);
}

TEST(Verdict, ComparesLikeWithLike) {
  const Finding finding{{}, {}, {0.0, 1.0}, 1e-3};
  AuditResult result{finding, 1.0};
  EXPECT_EQ(verdict_of(result, {1.0, 0.01}), Verdict::kConsistent);
  EXPECT_EQ(verdict_of(result, {std::nextafter(1.0, 0.0), 0.01}), Verdict::kViolated);
  EXPECT_EQ(verdict_of(result, {rounding::kInfinity, 0.0}), Verdict::kConsistent);
  // A level counts only where it was asked for.
  result.mu_lower = 2.0;
  EXPECT_EQ(verdict_of(result, {1.0, 0.01, 1.0}), Verdict::kConsistent);
  result.gaussian = finding;
  EXPECT_EQ(verdict_of(result, {1.0, 0.01, 1.0}), Verdict::kViolated);
  EXPECT_EQ(verdict_of(result, {1.0, 0.01, 2.0}), Verdict::kConsistent);
  const double epsilon = gaussian_epsilon_lower(2.0, 0.01);
  EXPECT_EQ(verdict_of(result, {epsilon * 1.001, 0.01}), Verdict::kConsistent);
  EXPECT_EQ(verdict_of(result, {epsilon * 0.999, 0.01}), Verdict::kViolated);
  EXPECT_EQ(name(Verdict::kConsistent), "CONSISTENT");
  EXPECT_EQ(name(Verdict::kViolated), "VIOLATED");
}

}  // namespace
}  // namespace doeblin::audit
