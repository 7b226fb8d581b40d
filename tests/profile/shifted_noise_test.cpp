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

}  // namespace
}  // namespace doeblin
