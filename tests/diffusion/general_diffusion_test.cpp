// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/general_diffusion.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/numerics/elementary.hpp"
#include "support/generators.hpp"

namespace doeblin {
namespace {

using Bend = SteepnessShape::Bend;

// rho^2 |grad|^2 of the log-ratio of two normal laws whose means are Delta e^{-theta s} apart:
// (rho Delta e^{-theta s}/deviation^2)^2.
Steepness ornstein_uhlenbeck_steepness(const DiffusionProcess& process, double sensitivity) {
  return [=](double time) {
    const DiffusionTransition law = transition(process, Bracket(time));
    const Bracket slope = process.rho * sensitivity * law.decay / (law.deviation * law.deviation);
    return slope * slope;
  };
}

TEST(GeneralDiffusion, FindsTheOrnsteinUhlenbeckLevel) {
  for (const double theta : {0.1, 0.7, 3.0})
    for (const double time : {0.05, 1.0, 4.0}) {
      const DiffusionProcess process{theta, 1.3};
      const Bracket exact = renyi_level(DiffusionMechanism{process, Bracket(time), 2.0});
      const Steepness kappa = ornstein_uhlenbeck_steepness(process, 2.0);
      for (const Bend bend : {Bend::kDecreasing, Bend::kConvex, Bend::kLogConvex}) {
        const double wanted = bend == Bend::kDecreasing ? 1e-3 : 1e-7;
        const Bracket got = renyi_level(kappa, time, {.bend = bend, .rate = 2.0 * theta}, {.relative_width = wanted});
        EXPECT_LE(got.lower(), exact.lower()) << theta << " " << time;
        EXPECT_GE(got.upper(), exact.upper()) << theta << " " << time;
        EXPECT_LE(got.relative_width(), 1.1 * wanted) << theta << " " << time;
      }
    }
}

TEST(GeneralDiffusion, FindsTheBrownianLevel) {
  // kappa = 1/(4 s^2), Lambda = 1/(4 t).
  const Steepness kappa = steepness_of([](double s) { return 0.25 / (s * s); });
  for (const double time : {1e-6, 1.0, 1e6}) {
    const Bracket got = renyi_level(kappa, time, {.bend = Bend::kLogConvex, .power = 2.0});
    EXPECT_LE(got.lower(), 0.25 / time);
    EXPECT_GE(got.upper(), 0.25 / time);
    EXPECT_LE(got.relative_width(), 1.1e-8);
  }
}

// A mixture of exponentials has an integral in closed form, and is log-convex.
RC_GTEST_PROP(GeneralDiffusion, EnclosesSumsOfExponentials, ()) {
  double weights[3], rates[3];
  for (int i = 0; i < 3; ++i) weights[i] = test::log_uniform(1e-3, 1.0), rates[i] = test::log_uniform(0.1, 10.0);
  const double time = test::log_uniform(1e-3, 3.0);
  const Steepness kappa = [&](double s) {
    Bracket sum(0.0);
    for (int i = 0; i < 3; ++i) sum = sum + weights[i] * numerics::exp(-(Bracket(rates[i]) * s));
    return sum;
  };
  Bracket exact(0.0);
  for (int i = 0; i < 3; ++i)
    exact = exact + weights[i] / Bracket(rates[i]) * numerics::exp(-(Bracket(rates[i]) * time));
  const double slowest = std::min({rates[0], rates[1], rates[2]});
  for (const Bend bend : {Bend::kDecreasing, Bend::kConvex, Bend::kLogConvex}) {
    const Bracket got = renyi_level(kappa, time, {.bend = bend, .rate = slowest}, {.relative_width = 1e-3});
    RC_ASSERT(got.lower() <= exact.upper() && exact.lower() <= got.upper());
    RC_ASSERT(got.upper() >= exact.lower());
    RC_ASSERT(got.relative_width() <= 1.1e-3);
  }
}

TEST(GeneralDiffusion, AStepFunctionIsOnlyDecreasing) {
  // 1 up to time 3, then e^{-(s - 3)}: from time 1 exactly 3.
  const Steepness kappa = [](double s) { return s <= 3.0 ? Bracket(1.0) : numerics::exp(Bracket(3.0) - s); };
  const Bracket got = renyi_level(kappa, 1.0, {.power = 1.5}, {.relative_width = 1e-4});
  EXPECT_LE(got.lower(), 3.0);
  EXPECT_GE(got.upper(), 3.0);
  EXPECT_LE(got.relative_width(), 1.1e-4);
  EXPECT_THROW(static_cast<void>(renyi_level(kappa, 1.0, {.bend = Bend::kConvex, .rate = 0.01})), InvalidArgument);
}

// The example of docs/theory/diffusion.md: two coordinates that are pulled at different rates.
TEST(GeneralDiffusion, TheExampleOfTheDocs) {
  const Steepness kappa = steepness_of([](double s) {
    const double slow = 0.5 / std::sinh(0.5 * s);
    const double fast = 0.5 * 2.0 / std::sinh(2.0 * s);
    return (slow * slow + fast * fast) / 4.0;
  });
  const Bracket level = renyi_level(kappa, 1.0, {.bend = Bend::kLogConvex, .rate = 1.0});
  const double truth = 0.25 / std::expm1(1.0) + 0.25 / std::expm1(4.0);
  EXPECT_TRUE(level.contains(truth));
  EXPECT_GE(level.lower(), 0.150158515);
  EXPECT_LE(level.upper(), 0.150158519);
}

TEST(GeneralDiffusion, StopsWhenItHasAskedEnough) {
  int asked = 0;
  const Steepness kappa = [&](double s) {
    ++asked;
    return numerics::exp(-Bracket(s));
  };
  const Bracket got = renyi_level(kappa, 1.0, {.rate = 1.0}, {.relative_width = 0.0, .most_values = 500});
  EXPECT_LE(asked, 510);
  EXPECT_LE(got.lower(), std::exp(-1.0));
  EXPECT_GE(got.upper(), std::exp(-1.0));
  EXPECT_EQ(renyi_level([](double) { return Bracket(0.0); }, 1.0, {.rate = 1.0}).upper(), 0.0);
}

TEST(GeneralDiffusion, RefusesWhatIsNoSteepness) {
  const auto level = [](const std::function<double(double)>& kappa, const SteepnessShape& shape) {
    static_cast<void>(renyi_level(steepness_of(kappa), 1.0, shape));
  };
  EXPECT_THROW(level([](double s) { return s; }, {.rate = 1.0}), InvalidArgument);
  EXPECT_THROW(level([](double) { return -1.0; }, {.rate = 1.0}), InvalidArgument);
  EXPECT_THROW(level([](double) { return std::nan(""); }, {.rate = 1.0}), InvalidArgument);
  EXPECT_THROW(level([](double) { return 1.0; }, {}), InvalidArgument);
  EXPECT_THROW(level([](double) { return 1.0; }, {.power = 1.0}), InvalidArgument);
  EXPECT_THROW(level([](double) { return 1.0; }, {.rate = -1.0}), InvalidArgument);
  EXPECT_THROW(static_cast<void>(renyi_level([](double) { return Bracket(1.0); }, 0.0, {.rate = 1.0})),
               InvalidArgument);
}

}  // namespace
}  // namespace doeblin
