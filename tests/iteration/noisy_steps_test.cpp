// SPDX-License-Identifier: Apache-2.0
#include "doeblin/iteration/noisy_steps.hpp"

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin {
namespace {

void expect_close(const Stretch& a, const Stretch& b) {
  EXPECT_LE(a.decay.lower(), b.decay.upper());
  EXPECT_GE(a.decay.upper(), b.decay.lower());
  EXPECT_LE(a.variance.lower(), b.variance.upper());
  EXPECT_GE(a.variance.upper(), b.variance.lower());
  EXPECT_LE(a.variance.relative_width(), 1e-11);
}

RC_GTEST_PROP(NoisySteps, ClosedFormTreeAndPlainProductAgree, ()) {
  const double c = *rc::gen::element(0.0, 0.3, 0.999999, 1.0, 1.0000001, 1.2);
  const double s = test::log_uniform(1e-3, 1e3);
  const auto count = static_cast<std::size_t>(*rc::gen::inRange(1, 200));
  const NoisyStep step{Bracket(c), Bracket(s)};
  const NoisySteps alike(step, count);
  const NoisySteps listed(std::vector<NoisyStep>(count, step));
  const auto first = static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(count) + 1));
  const auto last = first + static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(count - first) + 1));
  Stretch plain;
  for (std::size_t t = first; t < last; ++t) plain = Stretch::joined(plain, {step.lipschitz, step.noise * step.noise});
  expect_close(alike.between(first, last), plain);
  // A list of one step is the same as a run of one.
  expect_close(listed.between(first, last), plain);
}

TEST(NoisySteps, HeterogeneousStretchesJoin) {
  std::vector<NoisyStep> list;
  for (int i = 0; i < 1000; ++i) list.push_back({Bracket(0.9 + 0.0002 * i), Bracket(1.0 + 0.01 * (i % 7))});
  const NoisySteps steps(list);
  for (const std::size_t first : {0u, 1u, 7u, 8u, 500u, 991u})
    for (const std::size_t last : {991u, 992u, 1000u}) {
      Stretch plain;
      for (std::size_t t = first; t < last; ++t)
        plain = Stretch::joined(plain, {list[t].lipschitz, list[t].noise * list[t].noise});
      expect_close(steps.between(first, last), plain);
    }
  EXPECT_FALSE(steps.never_expands());
}

TEST(NoisySteps, LongRunsStayFinite) {
  const NoisySteps shrinking({Bracket(0.5), Bracket(1.0)}, 1'000'000'000);
  const Stretch stretch = shrinking.between(0, 1'000'000'000);
  EXPECT_EQ(stretch.decay.lower(), 0.0);
  EXPECT_GT(stretch.decay.upper(), 0.0);  // positive, if below every double
  EXPECT_NEAR(stretch.variance.middle(), 4.0 / 3.0, 1e-12);
}

TEST(NoisySteps, RoundingAddsItsLengthOverAllSteps) {
  EXPECT_EQ(NoisySteps({Bracket(0.5), Bracket(1.0)}, 16, 0.25).rounding_level(), 1.0);
  const double level = NoisySteps({Bracket(0.5), Bracket(1.0)}, 2, 1.0).rounding_level();
  EXPECT_GE(level * static_cast<long double>(level), 2.0L);
  EXPECT_LE(level, std::sqrt(2.0) * (1.0 + 1e-14));
  EXPECT_EQ(NoisySteps({Bracket(0.5), Bracket(1.0)}, 16).rounding_level(), 0.0);
}

TEST(NoisySteps, RefusesWhatIsNoStep) {
  EXPECT_THROW(NoisySteps({Bracket(1.0), Bracket(0.0)}, 3), InvalidArgument);
  EXPECT_THROW(NoisySteps({Bracket(-1.0), Bracket(1.0)}, 3), InvalidArgument);
  EXPECT_THROW(NoisySteps({Bracket(1.0), Bracket(1.0)}, 0), InvalidArgument);
  EXPECT_THROW(NoisySteps(std::vector<NoisyStep>{}), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
