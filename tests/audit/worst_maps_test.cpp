// SPDX-License-Identifier: Apache-2.0
#include "audit/worst_maps.hpp"

#include <cmath>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "doeblin/iteration/shift.hpp"

namespace doeblin::audit {
namespace {

// Difference of the means over the deviation, after the last step.
double level(const std::vector<bool>& differs, const std::vector<double>& factors) {
  double mean = 0.0;
  double variance = 0.0;
  for (std::size_t t = 0; t < differs.size(); ++t) {
    mean = factors[t] * mean + (differs[t] ? 1.0 : 0.0);
    variance = factors[t] * factors[t] * variance + 1.0;
  }
  return mean / std::sqrt(variance);
}

// The same number by two routes: the maps attain the level that is proved to be the largest (I3).
RC_GTEST_PROP(WorstMapsProperty, AttainTheLevelOfTheGuarantee, ()) {
  auto differs =
      *rc::gen::container<std::vector<bool>>(*rc::gen::inRange<std::size_t>(1, 30), rc::gen::arbitrary<bool>());
  differs[0] = true;
  const double lipschitz = *rc::gen::inRange(1, 130) / 100.0;
  std::vector<Use> uses;
  for (std::size_t t = 0; t < differs.size(); ++t)
    if (differs[t]) uses.push_back({t + 1, Bracket(1.0)});
  const NoisySteps steps({Bracket(lipschitz), Bracket(1.0)}, differs.size());
  const double truth = shift_level(steps, uses, rounding::kInfinity, differs.size()).upper();
  const std::vector<double> factors = worst_maps(differs, lipschitz);
  for (const double factor : factors) RC_ASSERT(factor >= 0.0 && factor <= lipschitz);
  RC_ASSERT(std::fabs(level(differs, factors) - truth) <= 1e-9 * truth);
}

TEST(WorstMaps, OneUse) {
  EXPECT_EQ(worst_maps({true, false, false}, 0.5), (std::vector<double>{0.0, 0.5, 0.5}));
  EXPECT_EQ(worst_maps({true}, 0.5), (std::vector<double>{0.0}));
}

TEST(WorstMaps, NothingIsCarriedOnByConstants) {
  for (const double factor : worst_maps({true, false, true, true}, 0.0)) EXPECT_EQ(factor, 0.0);
}

TEST(WorstMaps, LongRunsStayFinite) {
  std::vector<bool> differs(20000, false);
  differs[0] = differs[10000] = true;
  for (const double factor : worst_maps(differs, 0.5)) EXPECT_TRUE(factor >= 0.0 && factor <= 0.5);
}

}  // namespace
}  // namespace doeblin::audit
