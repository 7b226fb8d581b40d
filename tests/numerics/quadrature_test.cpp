// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/quadrature.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin::numerics {
namespace {

// f(t) = e^{-kt} is convex in e^t and its weighted integral is elementary.
RC_GTEST_PROP(Quadrature, EnclosesAnElementaryIntegral, ()) {
  const double k = test::log_uniform(0.1, 20.0);
  const double s = test::uniform(-20.0, 20.0);
  const int cells = *rc::gen::element(4, 64, 1024);
  const auto samples = sample_convex([&](double t) { return Bracket(std::exp(-k * t)); }, 2.0, cells);
  const long double end = end_of(samples);
  const long double rate = static_cast<long double>(s) - k;
  const long double truth = std::log(std::expm1(rate * end) / rate);
  const Bracket got = log_exp_weighted_integral(samples, s);
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth + 1e-14L);
  RC_ASSERT(static_cast<long double>(got.upper()) >= truth - 1e-14L);
  // Second order in the step: |log error| is about (k h)^2.
  const double h = samples.step;
  RC_ASSERT(got.width() <= 2.0 * (k + 1.0) * (k + 1.0) * h * h + 1e-12);
}

TEST(Quadrature, AFunctionThatReachesZero) {
  // f = (1 - t)_+ is below its chords in e^t where it bends, at the kink.
  const auto f = [](double t) { return Bracket(std::max(0.0, 2.0 - std::exp(t))); };
  const auto samples = sample_convex(f, std::log(2.0), 4096);
  // int_0^{log 2} (2 - e^t) dt = 2 log 2 - 1.
  const double truth = std::log(2.0 * std::log(2.0) - 1.0);
  const Bracket got = log_exp_weighted_integral(samples, 0.0);
  EXPECT_LE(got.lower(), truth);
  EXPECT_GE(got.upper(), truth);
  EXPECT_LE(got.width(), 1e-5);
}

TEST(Quadrature, HugeWeightsDoNotOverflow) {
  const auto samples = sample_convex([](double t) { return Bracket(std::exp(-t)); }, 2.0, 1 << 16);
  const Bracket got = log_exp_weighted_integral(samples, 1000.0);
  const double truth = 999.0 * end_of(samples) - std::log(999.0);
  EXPECT_LE(got.lower(), truth);
  EXPECT_GE(got.upper(), truth);
  EXPECT_LE(got.width(), 1e-3);
}

TEST(Quadrature, AGridTooCoarseForItsWeightSaysNothing) {
  const auto samples = sample_convex([](double t) { return Bracket(std::exp(-t)); }, 1024.0, 16);
  const Bracket got = log_exp_weighted_integral(samples, 1e6);
  EXPECT_EQ(got, Bracket(-rounding::kInfinity, rounding::kInfinity));
}

TEST(Quadrature, UncertainSamplesWidenTheIntegral) {
  const auto f = [](double t) { return Bracket(0.9 * std::exp(-t), 1.1 * std::exp(-t)); };
  const Bracket got = log_exp_weighted_integral(sample_convex(f, 1.0, 1 << 12), 1.0);
  // int_0^1 e^t e^{-t} dt = 1; the samples leave 0.9 .. 1.1.
  EXPECT_LE(got.lower(), std::log(0.9));
  EXPECT_GE(got.upper(), std::log(1.1));
  EXPECT_LE(got.width(), 0.35);
}

TEST(Quadrature, RefusesAnEmptyRange) {
  const auto f = [](double) { return Bracket(1.0); };
  EXPECT_THROW(static_cast<void>(sample_convex(f, 0.0, 4)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(sample_convex(f, rounding::kInfinity, 4)), InvalidArgument);
  EXPECT_THROW(static_cast<void>(sample_convex(f, std::nan(""), 4)), InvalidArgument);
}

TEST(Quadrature, UpperBoundsThatAreNotConvexHoldFromAbove) {
  // Steps above e^{-t}: extending their chords from the right says nothing about it.
  const auto above = [](double t) { return Bracket(std::exp(-0.25 * std::floor(4.0 * t))); };
  for (const int cells : {8, 64, 512, 4096}) {
    const auto samples = sample_convex(above, 2.0, cells);
    const Bracket got = log_exp_weighted_integral(samples, 1.0);
    EXPECT_GE(got.upper(), std::log(2.0)) << cells;
    EXPECT_LE(got.lower(), got.upper()) << cells;
  }
}

}  // namespace
}  // namespace doeblin::numerics
