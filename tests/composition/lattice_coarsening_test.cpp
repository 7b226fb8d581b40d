// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/lattice_coarsening.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"
#include "support/lattice.hpp"

namespace doeblin {
namespace {

TiltedLattice random_lattice(double tilt) {
  LossLattice lattice{.step = 0x1p-6, .first = *rc::gen::inRange(-300, 10)};
  const int points = *rc::gen::inRange(1, 300);
  double sum = 0.0;
  for (int k = 0; k < points; ++k) {
    lattice.mass.push_back(*rc::gen::inRange(0, 5) == 0 ? 0.0 : std::exp(test::uniform(-20.0, 0.0)));
    sum += lattice.mass.back();
  }
  lattice.mass[0] += 1e-3;
  for (double& mass : lattice.mass) mass /= sum + 1e-3;
  return tilted(lattice, tilt, Side::kUpper);
}

// A coarser upper lattice has the larger divergence at every eps, a coarser lower one the smaller.
RC_GTEST_PROP(LatticeCoarsening, DivergencesAreOrdered, ()) {
  const TiltedLattice fine = random_lattice(*rc::gen::arbitrary<bool>() ? 0.0 : test::log_uniform(0.01, 20.0));
  const std::int64_t factor = *rc::gen::inRange(2, 40);
  const TiltedLattice above = coarsened(fine, factor, Side::kUpper);
  const TiltedLattice below = coarsened(fine, factor, Side::kLower);
  RC_ASSERT(above.step == fine.step * static_cast<double>(factor));
  for (int i = 0; i < 60; ++i) {
    const double epsilon = test::uniform(-6.0, 6.0);
    const long double exact = test::delta_of(fine, epsilon);
    RC_ASSERT(test::delta_of(above, epsilon) >= exact * (1.0L - 1e-17L));
    RC_ASSERT(test::delta_of(below, epsilon) <= exact * (1.0L + 1e-17L));
  }
}

// Both keep the total mass up to rounding (the lower one may drop what nothing lifts), and stay close.
TEST(LatticeCoarsening, BellCurvesLoseSecondOrder) {
  LossLattice bell{.step = 0x1p-8, .first = -1024};
  double sum = 0.0;
  for (int k = -1024; k <= 1024; ++k) {
    bell.mass.push_back(std::exp(-0.5 * k * k / (200.0 * 200.0)));
    sum += bell.mass.back();
  }
  for (double& mass : bell.mass) mass /= sum;
  const TiltedLattice fine = tilted(bell, 1.0, Side::kUpper);
  double gaps[2];
  for (int i = 0; i < 2; ++i) {
    const std::int64_t factor = i == 0 ? 32 : 8;
    const long double above = test::delta_of(coarsened(fine, factor, Side::kUpper), 0.3);
    const long double below = test::delta_of(coarsened(fine, factor, Side::kLower), 0.3);
    gaps[i] = static_cast<double>(above - below);
    EXPECT_GT(gaps[i], 0.0);
  }
  EXPECT_LT(gaps[1], gaps[0] / 10.0);
  EXPECT_LT(gaps[1], 1e-4);
}

TEST(LatticeCoarsening, FactorOneChangesNothing) {
  const TiltedLattice fine = tilted({.step = 1.0, .first = 0, .mass = {0.5, 0.5}}, 0.0, Side::kUpper);
  EXPECT_EQ(coarsened(fine, 1, Side::kUpper).mass, fine.mass);
  EXPECT_THROW(static_cast<void>(coarsened(fine, 0, Side::kUpper)), InternalError);
}

}  // namespace
}  // namespace doeblin
