// SPDX-License-Identifier: Apache-2.0
// The stages brownian, ornstein_uhlenbeck, diffusion and evolve.
#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "support/generators.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::pipeline {
namespace {

TEST(DiffusionStages, BrownianIsGaussian) {
  const Pipeline brownian_motion = brownian(2.0, 3.0);
  const Pipeline gaussian_noise = gaussian({.sigma = 2.0, .sensitivity = 3.0});
  for (const double delta : {1e-3, 1e-12, 1e-200}) {
    const Bracket one = brownian_motion.epsilon(Delta(delta));
    const Bracket other = gaussian_noise.epsilon(Delta(delta));
    EXPECT_LE(one.lower(), other.upper());
    EXPECT_LE(other.lower(), one.upper());
    EXPECT_LE(one.relative_width(), 1e-12);
  }
  EXPECT_NEAR(brownian_motion.rdp(Alpha(5.0)).upper(), 5.0 * 9.0 / 8.0, 1e-12);
}

TEST(DiffusionStages, EvolvingIsTheLongerRun) {
  const DiffusionMechanism start{{0.5, 1.25}, Bracket(2.0), 1.0};
  const DiffusionMechanism longer{{0.5, 1.25}, Bracket(3.0), 1.0};
  const Pipeline evolved = ornstein_uhlenbeck(start) | evolve(0.75) | evolve(0.25);
  const Pipeline direct = ornstein_uhlenbeck(longer);
  for (const double epsilon : {0.0, 0.5, 3.0})
    EXPECT_EQ(evolved.delta(Epsilon(epsilon)), direct.delta(Epsilon(epsilon)));
  EXPECT_EQ((brownian(1.0) | evolve(1.0)).delta(Epsilon(1.0)), brownian(2.0).delta(Epsilon(1.0)));
  EXPECT_EQ((brownian(1.0) | evolve(0.0)).delta(Epsilon(1.0)), brownian(1.0).delta(Epsilon(1.0)));
}

// Times that do not add up exactly are carried as brackets: the truth is inside.
RC_GTEST_PROP(DiffusionStages, RoundedTimesStayEnclosed, ()) {
  const double first = test::log_uniform(1e-3, 10.0);
  const double second = test::log_uniform(1e-3, 10.0);
  const Pipeline evolved = brownian(first) | evolve(second);
  const Bracket mu = enclose(evolved.mechanism().gaussian()->mu);
  const long double exact = 1.0L / std::sqrt(2.0L * (static_cast<long double>(first) + second));
  RC_ASSERT(static_cast<long double>(mu.lower()) <= exact && exact <= static_cast<long double>(mu.upper()));
}

RC_GTEST_PROP(DiffusionStages, EvolvingNeverHurts, ()) {
  const DiffusionMechanism start{
      {test::log_uniform(1e-3, 10.0), test::log_uniform(0.1, 10.0)}, Bracket(test::log_uniform(1e-2, 5.0)), 1.0};
  const Pipeline before = ornstein_uhlenbeck(start);
  const Pipeline after = before | evolve(test::log_uniform(1e-6, 5.0));
  const Epsilon at(test::log_uniform(1e-3, 5.0));
  RC_ASSERT(after.delta(at).lower() <= before.delta(at).upper());
}

TEST(DiffusionStages, GeneralDiffusionsAreConcentrated) {
  const Steepness kappa = steepness_of([](double s) { return 0.25 / (s * s); });
  const SteepnessShape shape{.bend = SteepnessShape::Bend::kLogConvex, .power = 2.0};
  const Pipeline general = diffusion(kappa, 2.0, shape);
  EXPECT_NEAR(general.rdp(Alpha(4.0)).upper(), 0.5, 1e-7);
  EXPECT_GE(general.rdp(Alpha(4.0)).upper(), 0.5);
  // The Renyi detour cannot beat the exact level.
  EXPECT_GE(general.epsilon(Delta(1e-6)).upper(), brownian(2.0).epsilon(Delta(1e-6)).lower());
  const Pipeline later = general | evolve(2.0);
  EXPECT_GE(later.rdp(Alpha(4.0)).upper(), 0.25);
  EXPECT_NEAR(later.rdp(Alpha(4.0)).upper(), 0.25, 1e-7);
  EXPECT_EQ(later.steps().back().step.source, "D3, C3");
}

TEST(DiffusionStages, EvolveNeedsADiffusionRightBefore) {
  for (const char* bad : {"gaussian(1) | evolve(1)", "brownian(1) | compose(2) | evolve(1)",
                          "brownian(1) | group(2) | evolve(1)", "brownian(1) | poisson(0.1) | evolve(1)"})
    EXPECT_NE(
        test::message_of<InvalidArgument>([&] { static_cast<void>(parse(bad)); }).find("a diffusion right before"),
        std::string::npos)
        << bad;
  EXPECT_THROW(static_cast<void>(parse("brownian(1) | evolve(-1)")), InvalidArgument);
  EXPECT_THROW(static_cast<void>(brownian(std::nan(""))), InvalidArgument);
}

TEST(DiffusionStages, ComposeAsGaussians) {
  const Bracket mu = enclose((brownian(2.0) | compose(4)).mechanism().gaussian()->mu);
  EXPECT_TRUE(mu.contains(1.0));
}

}  // namespace
}  // namespace doeblin::pipeline
