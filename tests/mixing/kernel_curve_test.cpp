// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_curve.hpp"

#include <random>

#include <gtest/gtest.h>

#include "doeblin/profile/gdp.hpp"
#include "support/kernels.hpp"

namespace doeblin {
namespace {

TEST(KernelCurve, IsTheCoefficientAtEveryEpsilon) {
  std::mt19937_64 random(1);
  const auto kernel = std::make_shared<const FiniteKernel>(test::dense_kernel(test::random_rows(random, 30, 30)));
  const MixingKernel curve = mixing_kernel(kernel);
  for (const double epsilon : {0.0, 0.3, 1.0, 0.3}) {
    const Bracket full = curve.profile.delta(Epsilon(epsilon));
    const Bracket direct = hockey_stick(*kernel, Epsilon(epsilon)).value;
    EXPECT_TRUE(full.lower() <= direct.upper() && direct.lower() <= full.upper());
    // The pairs that were found so far are never above.
    EXPECT_LE(curve.known(Epsilon(epsilon)).lower(), full.upper());
    EXPECT_GE(curve.known(Epsilon(epsilon)).upper(), full.lower());
  }
}

// Epsilon by known pairs (costly kernels) and by bisection are two routes to the same number.
TEST(KernelCurve, EpsilonFromKnownPairsIsEpsilon) {
  std::mt19937_64 random(2);
  for (int round = 0; round < 6; ++round) {
    const auto kernel = std::make_shared<const FiniteKernel>(test::dense_kernel(test::random_rows(random, 60, 60)));
    const MixingKernel curve = mixing_kernel(kernel);
    ASSERT_TRUE(curve.profile.traits().costly);
    const Profile before = profile_of(Gdp{numerics::Wide(1.5)});
    const Profile after = mixed(before, curve);
    const Profile by_bisection = mixed(before, MixingKernel{curve.profile});
    for (const double delta : {0.2, 1e-3, 1e-9}) {
      const Bracket first = after.epsilon(Delta(delta));
      const Bracket second = by_bisection.epsilon(Delta(delta));
      EXPECT_LE(first.lower(), second.upper());
      EXPECT_GE(first.upper(), second.lower());
      EXPECT_LE(first.width(), 1e-8 * (1.0 + first.upper()));
      if (first.upper() > 0.0) EXPECT_LE(after.delta(Epsilon(first.upper())).upper(), delta);
    }
  }
}

TEST(KernelCurve, TablesAreAboveAndClose) {
  std::mt19937_64 random(3);
  for (int round = 0; round < 30; ++round) {
    const std::size_t states = 2 + random() % 12;
    const auto kernel =
        std::make_shared<const FiniteKernel>(test::dense_kernel(test::random_rows(random, states, states)));
    const MixingKernel curve = mixing_kernel(kernel);
    const MixingKernel table = tabulated(curve, 400);
    double before = 1.0;
    for (double epsilon = 0.0; epsilon < 40.0; epsilon += 0.0371) {
      const Bracket exact = hockey_stick(*kernel, Epsilon(epsilon)).value;
      const double upper = table.profile.delta(Epsilon(epsilon)).upper();
      EXPECT_GE(upper, exact.lower());
      EXPECT_LE(upper, exact.upper() + 5e-3);
      EXPECT_LE(upper, before);
      before = upper;
    }
    // From the largest loss on nothing changes.
    const double end = curve.profile.traits().loss_bound;
    EXPECT_NEAR(curve.profile.delta(Epsilon(end)).upper(), curve.profile.delta(Epsilon(rounding::kInfinity)).upper(),
                1e-14);
  }
}

}  // namespace
}  // namespace doeblin
