// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/discrete_gaussian.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "support/mechanism_properties.hpp"
#include "support/table.hpp"

namespace doeblin {
namespace {

DiscreteGaussian mechanism(const test::Row& row) { return {row["sigma"], row["sensitivity"]}; }

TEST(DiscreteGaussian, DeltaMatchesTheTable) {
  test::check_table("discrete_gaussian_delta.csv",
                    [](const test::Row& row) { return delta(mechanism(row), Epsilon(row["epsilon"])); },
                    {.relative_width = 1e-8});
}

TEST(DiscreteGaussian, RenyiMatchesTheTable) {
  test::check_table("discrete_gaussian_rdp.csv",
                    [](const test::Row& row) { return rdp(mechanism(row), Alpha(row["alpha"])); },
                    {.relative_width = 1e-9});
}

RC_GTEST_PROP(DiscreteGaussian, AgreesWithTheDirectSum, ()) {
  const double sigma = test::log_uniform(0.3, 20.0);
  const int D = *rc::gen::inRange(1, 6);
  const double epsilon = test::uniform(0.0, 3.0) * D / sigma;
  const auto weight = [&](int x) { return std::exp(-x * x / (2.0 * sigma * sigma)); };
  double total = 0.0;
  double truth = 0.0;
  for (int x = -800; x <= 800; ++x) {
    total += weight(x);
    truth += std::max(0.0, weight(x - D) - std::exp(epsilon) * weight(x));
  }
  truth /= total;
  const Bracket got = delta(DiscreteGaussian{sigma, static_cast<double>(D)}, Epsilon(epsilon));
  RC_ASSERT(got.lower() <= truth + 1e-13);
  RC_ASSERT(got.upper() >= truth - 1e-13);
}

RC_GTEST_PROP(DiscreteGaussian, HasTheShapeOfAProfile, ()) {
  const DiscreteGaussian m{test::log_uniform(0.2, 100.0), static_cast<double>(*rc::gen::inRange(1, 10))};
  const double mu = m.sensitivity / m.sigma;
  test::check_profile(profile_of(m), mu * (mu / 2.0 + 8.0));
}

// Both methods on the same side of the switch: Euler-Maclaurin just above 3000, direct sums just below.
RC_GTEST_PROP(DiscreteGaussian, TheTwoMethodsMeet, ()) {
  const double D = *rc::gen::element(1.0, 7.0, 500.0, 3000.0);
  const double mu = D / 3000.0;
  const double epsilon = mu * test::uniform(0.0, 36.0);
  const Bracket below = delta(DiscreteGaussian{3000.0, D}, Epsilon(epsilon));
  const Bracket above = delta(DiscreteGaussian{rounding::next_up(3000.0), D}, Epsilon(epsilon));
  // Their sigmas differ by 2e-16, and delta by at most 1400 times that: a missing remainder, 4e-11 in the tail, shows.
  RC_ASSERT(above.lower() <= below.upper() * (1 + 5e-13));
  RC_ASSERT(above.upper() >= below.lower() * (1 - 5e-13));
  RC_ASSERT(below.relative_width() <= 1e-9);
}

TEST(DiscreteGaussian, FarApartNeighboursAboveTheSwitch) {
  // mu = 333: delta is a tail of the continuous law up to 1e-9.
  const DiscreteGaussian m{3000.001, 1e6};
  const double epsilon = 333.333 * (333.333 / 2.0 - 1.0);
  const Bracket got = delta(m, Epsilon(epsilon));
  EXPECT_LE(got.relative_width(), 1e-7);
  const Bracket continuous = delta(gdp(Gaussian{3000.001, 1e6}), Epsilon(epsilon));
  EXPECT_NEAR(got.upper(), continuous.upper(), 1e-3);
}

TEST(DiscreteGaussian, AnAtomThatRoundingHidesIsCounted) {
  // Epsilons within 2^-98 of an atom of the loss, from a search for quadratic residues; truths by mpmath.
  struct Case {
    double sigma, sensitivity, epsilon, truth;
  };
  for (const Case& c : {Case{0.029140768572688103, 1013872289022.0, 6.05249594146908e+26, 2.8072e-4},
                        {0.023933036252856255, 687731416973.0, 4.1286886703223896e+26, 4.1615e-4},
                        {0.23312614858150482, 1013872289022.0, 9.457024908545437e+24, 1.0540457e-4},
                        {3.730018377304077, 1013872289022.0, 3.6941503549005615e+22, 0.44652274782933}}) {
    const Bracket got = delta(DiscreteGaussian{c.sigma, c.sensitivity}, Epsilon(c.epsilon));
    EXPECT_LE(got.lower(), c.truth);
    EXPECT_GE(got.upper(), c.truth);
  }
}

TEST(DiscreteGaussian, IntegersBeyondTheDoubles) {
  for (const double sigma : {1e15, 1e16, 1e17, 1e20, 1e60})
    for (const double position : {0.0, 0.1, 1.0, 10.0}) {
      const Epsilon epsilon(position / sigma);
      const Bracket got = delta(DiscreteGaussian{sigma}, epsilon);
      const Bracket continuous = delta(gdp(Gaussian{sigma}), epsilon);
      EXPECT_LE(got.relative_width(), 1e-9);
      EXPECT_NEAR(got.upper() / continuous.upper(), 1.0, 1e-9);
    }
}

TEST(DiscreteGaussian, RenyiAtExtremeOrders) {
  const Bracket huge = rdp(DiscreteGaussian{1.0, 2.0}, Alpha(1e308));
  EXPECT_GE(huge.upper(), rounding::kMax);
  // alpha D rounds up to an integer: the distance from it is not 0.
  const double alpha = rounding::next_down(1.5);
  EXPECT_LE(rdp(DiscreteGaussian{0.3, 2.0}, Alpha(alpha)).lower(), alpha * 4.0 / (2.0 * 0.09));
}

TEST(DiscreteGaussian, RenyiIsTheContinuousOneAtIntegerOrders) {
  const Bracket got = rdp(DiscreteGaussian{0.5, 1.0}, Alpha(3.0));
  EXPECT_LE(got.lower(), 6.0);
  EXPECT_GE(got.upper(), 6.0);
  EXPECT_LT(rdp(DiscreteGaussian{0.5, 1.0}, Alpha(2.5)).upper(), 5.0);
}

TEST(DiscreteGaussian, Edges) {
  EXPECT_EQ(delta(DiscreteGaussian{1.0, 0.0}, Epsilon(0.0)), Bracket(0.0));
  EXPECT_EQ(delta(DiscreteGaussian{1.0}, Epsilon(rounding::kInfinity)), Bracket(0.0));
  EXPECT_EQ(delta(DiscreteGaussian{1.0}, Epsilon(1e6)), Bracket(0.0, rounding::kSmallest));
  EXPECT_GE(delta(DiscreteGaussian{1.0, 1e6}, Epsilon(1.0)).lower(), 0.999999);
  EXPECT_EQ(rdp(DiscreteGaussian{1.0}, Alpha(rounding::kInfinity)), Bracket(rounding::kInfinity));
  EXPECT_THROW(static_cast<void>(delta(DiscreteGaussian{1.0, 0.5}, Epsilon(1.0))), InvalidArgument);
  EXPECT_THROW(static_cast<void>(delta(DiscreteGaussian{-1.0}, Epsilon(1.0))), InvalidArgument);
  for (const double sigma : {1e-300, 1e-150, 1e-3, 1e150, 1e300})
    for (const double epsilon : {0.0, 1e-10, 1.0, 1e300}) {
      const Bracket got = delta(DiscreteGaussian{sigma}, Epsilon(epsilon));
      EXPECT_GE(got.lower(), 0.0);
      EXPECT_LE(got.upper(), 1.0);
    }
}

}  // namespace
}  // namespace doeblin
