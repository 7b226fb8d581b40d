// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/shifted_noise.hpp"

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/laplace.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

using numerics::Wide;

struct Named {
  std::shared_ptr<const ShiftedNoise> noise;
  std::function<Bracket(double m, double epsilon)> delta;
};

std::vector<Named> all_noises(double scale) {
  const auto at = [](auto mechanism) {
    return [mechanism](double m, double epsilon) {
      auto moved = mechanism;
      moved.sensitivity = m;
      return delta(moved, Epsilon(epsilon));
    };
  };
  return {{normal_noise(numerics::ratio(1.0, scale)),
           [scale](double m, double epsilon) { return delta(Gdp{numerics::ratio(m, scale)}, Epsilon(epsilon)); }},
          {laplace_noise(numerics::ratio(1.0, scale)), at(Laplace{scale})},
          {twice_laplace_noise({scale, 0.4 * scale}), at(TwiceLaplace{scale, 0.4 * scale})},
          {twice_laplace_noise({scale, scale}), at(TwiceLaplace{scale, scale})},
          {integer_noise(DiscreteGaussian{scale}), at(DiscreteGaussian{scale})},
          {integer_noise(DiscreteLaplace{scale}), at(DiscreteLaplace{scale})}};
}

// The divergence of a shift is the profile of that many people, and at negative levels follows from it by parity.
RC_GTEST_PROP(ShiftedNoise, DivergencesAreThoseOfTheMechanism, ()) {
  const double scale = test::log_uniform(0.5, 5.0);
  const double m = std::floor(test::uniform(1.0, 6.0));
  const double epsilon = test::uniform(0.0, 3.0);
  for (const Named& one : all_noises(scale)) {
    const Bracket truth = one.delta(m, epsilon);
    const Bracket above = one.noise->divergence(Bracket(epsilon), m);
    RC_ASSERT(above.lower() <= truth.upper());
    RC_ASSERT(above.upper() >= truth.lower());
    RC_ASSERT(above.width() <= 1e-9);
    const double mirrored = -std::expm1(-epsilon) + std::exp(-epsilon) * truth.upper();
    const Bracket below = one.noise->divergence(Bracket(-epsilon), m);
    RC_ASSERT(std::fabs(below.upper() - mirrored) <= 1e-9);
  }
}

// Ratios never fall, are enclosed by their bound, and agree with the approximate ones that searches use.
RC_GTEST_PROP(ShiftedNoise, RatiosRise, ()) {
  const double scale = test::log_uniform(0.5, 5.0);
  const double m = std::floor(test::uniform(1.0, 6.0));
  const double z = test::uniform(-20.0, 20.0);
  for (const Named& one : all_noises(scale)) {
    const Bracket here = one.noise->log_ratio(z, m);
    const Bracket next = one.noise->log_ratio(z + 0.5, m);
    RC_ASSERT(here.lower() <= next.upper());
    RC_ASSERT(here.lower() <= one.noise->loss_bound(m));
    RC_ASSERT(std::fabs(one.noise->approximate_log_ratio(z, m).value - here.upper()) <=
              1e-9 * (1.0 + std::fabs(here.upper())));
    RC_ASSERT(one.noise->log_ratio(z, 0.0).upper() >= 0.0 && one.noise->log_ratio(z, 0.0).lower() <= 0.0);
  }
}

// Beyond its farthest point a ratio does not grow, or no mass is left.
TEST(ShiftedNoise, Farthest) {
  for (const double m : {0.0, 1.0, 3.0}) {
    const auto laplace = laplace_noise(Wide(0.5));
    EXPECT_EQ(laplace->log_ratio(laplace->farthest(m), m), laplace->log_ratio(1e9, m));
    const auto grid = integer_noise(DiscreteLaplace{2.0, 3.0});
    EXPECT_EQ(grid->log_ratio(grid->farthest(m), m), grid->log_ratio(1e9, m));
    EXPECT_GE(normal_noise(Wide(2.0))->farthest(m), 40.0 + 2.0 * m);
  }
}

// The ratio of the densities as they stand in P6, where these do not cancel.
RC_GTEST_PROP(ShiftedNoise, RatiosOfTwiceLaplaceAreThoseOfTheDensities, ()) {
  const double l1 = test::log_uniform(0.3, 3.0), l2 = l1 * test::log_uniform(1e-3, 0.9);
  const double m = test::uniform(0.0, 5.0), z = test::uniform(-10.0, 10.0);
  const auto density = [&](double x) { return l1 * std::exp(-std::fabs(x) / l1) - l2 * std::exp(-std::fabs(x) / l2); };
  // z counts units of the larger scale.
  const double truth = std::log(density(l1 * z - m) / density(l1 * z));
  const auto noise = twice_laplace_noise({l1, l2});
  const Bracket found = noise->log_ratio(z, m);
  RC_ASSERT(found.lower() <= truth + 1e-11 && found.upper() >= truth - 1e-11);
  RC_ASSERT(found.width() <= 1e-14 * (1.0 + m / l1));
  const double step = 1e-5;
  const double slope =
      (noise->approximate_log_ratio(z + step, m).value - noise->approximate_log_ratio(z - step, m).value) /
      (2.0 * step);
  RC_ASSERT(std::fabs(noise->approximate_log_ratio(z, m).derivative - slope) <= 1e-4 * (1.0 + l1 / l2));
}

TEST(ShiftedNoise, ScalesOfTwiceLaplaceThatMeet) {
  const auto equal = twice_laplace_noise({2.0, 2.0});
  for (const double nudge : {1e-16, 1e-13, 1e-9}) {
    const auto near = twice_laplace_noise({2.0, 2.0 * (1.0 - nudge)});
    for (const double z : {-300.0, -1.0, 0.0, 0.3, 0.5, 2.0, 40.0})
      for (const double m : {1e-12, 1.0, 3.0}) {
        const Bracket found = near->log_ratio(z, m), limit = equal->log_ratio(z, m);
        EXPECT_LE(std::fabs(found.upper() - limit.upper()), m * (1e-15 + 400.0 * nudge)) << z << " " << m;
        EXPECT_LE(found.width(), 1e-14 * m) << z << " " << m;
      }
  }
}

// Beyond its farthest point no double sees any mass, and the bracket reaches up to the largest loss.
TEST(ShiftedNoise, TwiceLaplaceFarOut) {
  for (const double sensitivity : {1e-300, 1e-9, 1.0, 1e4, 1e200})
    for (const double m : {1.0, 2.5}) {
      const auto noise = twice_laplace_noise({1.0, m == 1.0 ? 1.0 : 0.5, sensitivity});
      const double far = noise->farthest(m);
      EXPECT_EQ(noise->log_ratio(far, m).upper(), noise->loss_bound(m));
      EXPECT_EQ(noise->log_ratio(-far, m).lower(), -noise->loss_bound(m));
      EXPECT_GE(noise->loss_bound(m), m * sensitivity);
      EXPECT_GE(far, m * sensitivity + 760.0);
      const Bracket middle = noise->log_ratio(0.5 * m * sensitivity, m);
      EXPECT_LE(std::max(middle.upper(), -middle.lower()), 1e-14 * m * sensitivity);
      EXPECT_GE(noise->divergence(Bracket(0.0), m).upper(), std::min(0.2, 0.2 * m * sensitivity));
    }
  // The other scale is not resolved: nothing is said of it.
  EXPECT_EQ(twice_laplace_noise({1.0, 1e-200}), nullptr);
  EXPECT_EQ(twice_laplace_noise({1.0, 1.0, 0.0})->divergence(Bracket(0.0), 3.0), Bracket(0.0));
}

}  // namespace
}  // namespace doeblin
