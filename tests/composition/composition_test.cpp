// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/composition.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/profile/black_box.hpp"
#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/randomized_response.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

RC_GTEST_PROP(Composition, GdpAddsSquares, ()) {
  const double a = test::log_uniform(1e-3, 10.0);
  const double b = test::log_uniform(1e-3, 10.0);
  const Bracket mu = enclose(compose(std::vector<Gdp>{Gdp::level(a), Gdp::level(b)}).mu);
  const long double truth = std::sqrt(static_cast<long double>(a) * a + static_cast<long double>(b) * b);
  RC_ASSERT(static_cast<long double>(mu.lower()) <= truth * (1 + 1e-18L));
  RC_ASSERT(static_cast<long double>(mu.upper()) >= truth * (1 - 1e-18L));
  const Bracket twice = enclose(compose(Gdp::level(a), 2.0).mu);
  const Bracket sum = enclose(compose(std::vector<Gdp>{Gdp::level(a), Gdp::level(a)}).mu);
  RC_ASSERT(twice.lower() <= sum.upper() && sum.lower() <= twice.upper());
}

// k randomised responses are a binomial experiment, which can be enumerated.
double binomial_delta(double p, int k, double epsilon) {
  double delta = 0.0;
  double log_choose = 0.0;
  for (int j = 0; j <= k; ++j) {
    const double log_p = log_choose + j * std::log(p) + (k - j) * std::log1p(-p);
    const double log_q = log_choose + j * std::log1p(-p) + (k - j) * std::log(p);
    delta += std::max(0.0, std::exp(log_p) - std::exp(epsilon + log_q));
    log_choose += std::log(static_cast<double>(k - j)) - std::log(static_cast<double>(j + 1));
  }
  return delta;
}

RC_GTEST_PROP(Composition, EnclosesEnumeratedRandomisedResponse, ()) {
  const RandomizedResponse m{test::uniform(0.52, 0.95)};
  const int k = *rc::gen::inRange(1, 30);
  const double epsilon = test::uniform(0.0, 8.0);
  const Profile composed = composed_profile(compose(renyi_of(m), k), {{profile_of(m), static_cast<double>(k)}});
  const Bracket got = composed.delta(Epsilon(epsilon));
  const double truth = binomial_delta(m.p, k, epsilon);
  RC_ASSERT(got.lower() <= truth + 1e-13);
  RC_ASSERT(got.upper() >= truth - 1e-13);
  const double delta = test::log_uniform(1e-12, 0.1);
  RC_ASSERT(binomial_delta(m.p, k, composed.epsilon(Delta(delta)).upper()) <= delta * (1 + 1e-9) + 1e-15);
}

// Two outcomes of probabilities p and q each time, in the better one of the two orders.
double two_outcome_delta(double p, double q, int k, double epsilon) {
  double forward = 0.0, backward = 0.0, log_choose = 0.0;
  for (int j = 0; j <= k; ++j) {
    const double log_p = log_choose + j * std::log(p) + (k - j) * std::log1p(-p);
    const double log_q = log_choose + j * std::log(q) + (k - j) * std::log1p(-q);
    forward += std::max(0.0, std::exp(log_p) - std::exp(epsilon + log_q));
    backward += std::max(0.0, std::exp(log_q) - std::exp(epsilon + log_p));
    log_choose += std::log(static_cast<double>(k - j)) - std::log(static_cast<double>(j + 1));
  }
  return std::max(forward, backward);
}

// A count with discrete Laplace noise has the divergence of order alpha that is allowed: so bad can it be.
TEST(Composition, WhatOneOrderAllowsIsTwoSided) {
  const double level = 1.0278053948124294;  // of alpha = 12 and epsilon = 1, by a 50-digit search
  const double p = 1.0 / (1.0 + std::exp(-level));
  for (const int k : {10, 30, 100}) {
    const pipeline::Pipeline many = pipeline::parse(fmt::format("rdp(alpha=12, epsilon=1) | compose({})", k));
    const double lower = many.epsilon(Delta(1e-6)).lower();
    EXPECT_GE(binomial_delta(p, k, lower * (1.0 - 1e-9)), 1e-6 * (1.0 - 1e-6)) << k;
    EXPECT_LE(binomial_delta(p, k, lower * 1.001), 1e-6) << k;
    EXPECT_GE(lower, 0.9 * many.epsilon(Delta(1e-6)).upper()) << k;
  }
}

// A sample has the person with probability q: (1-q) Q + q P against Q, two outcomes each. These are not the two losses
// of the pair that dominates.
TEST(Composition, TwoLossesThatAreSampledAreTwoSided) {
  const double q = 0.05, p = 1.0 / (1.0 + std::exp(-1.0 / 1.5));
  const double mixed = (1.0 - q) * (1.0 - p) + q * p;
  for (const int k : {2, 10, 100}) {
    const pipeline::Pipeline many = pipeline::parse(
        fmt::format("discrete_laplace(scale=1.5) | without_replacement(n=1000, m=50) | compose({})", k));
    const Bracket found = many.epsilon(Delta(1e-6));
    EXPECT_GE(two_outcome_delta(mixed, 1.0 - p, k, found.lower() * (1.0 - 1e-9)), 1e-6 * (1.0 - 1e-6)) << k;
    EXPECT_LE(two_outcome_delta(mixed, 1.0 - p, k, found.lower() * 1.01), 1e-6) << k;
    EXPECT_GE(found.upper(), found.lower()) << k;
  }
}

TEST(Composition, AddingEpsilonsWorksWhereRenyiIsInfinite) {
  const BlackBox m{1.0, 1e-6};
  const Profile composed = composed_profile(compose(renyi_of(m), 10.0), {{profile_of(m), 10.0}});
  EXPECT_LE(composed.epsilon(Delta(1.0001e-5)).upper(), 10.0 + 1e-12);
  EXPECT_EQ(composed.epsilon(Delta(1e-7)).upper(), rounding::kInfinity);
}

TEST(Composition, APurePartCostsAtMostItsLevel) {
  const Gdp level = Gdp::level(1.0);
  const BlackBox pure{0.1};
  const RenyiCurve total = compose(std::vector<RenyiCurve>{renyi_of(level), renyi_of(pure)});
  const Profile composed = composed_profile(total, {{profile_of(level), 1.0}, {profile_of(pure), 1.0}});
  const double alone = profile_of(level).epsilon(Delta(1e-6)).upper();
  EXPECT_LE(composed.epsilon(Delta(1e-6)).upper(), alone + 0.1 + 1e-9);
  EXPECT_GE(composed.epsilon(Delta(1e-6)).upper(), alone);
}

TEST(Composition, ZcdpAndRenyiAdd) {
  EXPECT_EQ(rdp(compose(Zcdp::level(0.25), 4.0), Alpha(3.0)), Bracket(3.0));
  EXPECT_EQ(rdp(compose(std::vector<Zcdp>{Zcdp::level(0.25), Zcdp::level(0.5)}), Alpha(2.0)), Bracket(1.5));
  const RenyiCurve line([](Alpha alpha) { return Bracket(alpha.value()); }, {.largest_order = 4.0});
  const RenyiCurve flat([](Alpha) { return Bracket(0.5); }, {.largest_order = 8.0, .tight = false});
  const RenyiCurve sum = compose(std::vector<RenyiCurve>{line, flat});
  EXPECT_EQ(sum.at(Alpha(2.0)), Bracket(2.5));
  EXPECT_EQ(sum.traits().largest_order, 4.0);
  EXPECT_FALSE(sum.traits().tight);
  EXPECT_EQ(compose(line, 3.0).at(Alpha(2.0)), Bracket(6.0));
}

// Two matrices whose worst pairs run in opposite directions: no pair of datasets reaches the sum of the suprema.
TEST(Composition, SupremaOverPairsDoNotAddFromBelow) {
  const FiniteMechanism forward({{0.9, 0.1}, {0.5, 0.5}});
  const FiniteMechanism backward({{0.5, 0.5}, {0.9, 0.1}});
  const Bracket got = compose(std::vector<RenyiCurve>{renyi_of(forward), renyi_of(backward)}).at(Alpha(20.0));
  EXPECT_LE(got.lower(), 2.155);
  EXPECT_GE(got.upper(), 2.155);
  EXPECT_EQ(compose(renyi_of(forward), 2.0).at(Alpha(20.0)), renyi_of(forward).at(Alpha(20.0)) * 2.0);
}

TEST(Composition, AnOverflowingLevelPromisesNothing) {
  const Gdp level = compose(std::vector<Gdp>{Gdp::level(1.4e154), Gdp::level(1.0)});
  EXPECT_EQ(delta(level, Epsilon(1.2e308)).lower(), 0.0);
}

TEST(Composition, TheSecondProfileServesWhereTheFirstIsWide) {
  const Profile narrow = profile_of(Gdp::level(1.0));
  const Profile wide([](Epsilon) { return Bracket(0.0, 1.0); },
                     [](Delta) { return Bracket(0.0, rounding::kInfinity); });
  for (const Profile& better : {first_if_narrow(narrow, wide), first_if_narrow(wide, narrow)}) {
    EXPECT_EQ(better.delta(Epsilon(1.0)), narrow.delta(Epsilon(1.0)));
    EXPECT_EQ(better.epsilon(Delta(1e-6)), narrow.epsilon(Delta(1e-6)));
  }
}

TEST(Composition, CountsAreWholeNumbers) {
  for (const double bad : {0.0, -1.0, 1.5, std::nan(""), rounding::kInfinity})
    EXPECT_THROW(static_cast<void>(compose(Gdp::level(1.0), bad)), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
