// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/symmetric_moment.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/generators.hpp"

namespace doeblin {
namespace {

// Two atoms at +-L with masses p and p e^{-L}: the direct sum in extended precision.
RC_GTEST_PROP(SymmetricMoment, AgreesWithTheDirectSum, ()) {
  const double loss = test::log_uniform(0.01, 30.0);
  const double alpha = 1.0 + test::log_uniform(0.01, 100.0);
  const long double p = 1.0L / (1.0L + std::exp(-static_cast<long double>(loss)));
  const long double s = static_cast<long double>(alpha) - 1.0L;
  const long double truth = std::log(p * std::exp(s * loss) + (1.0L - p) * std::exp(-s * loss)) / s;
  SymmetricMoment moment{Alpha(alpha)};
  moment.add(Bracket(std::log(static_cast<double>(p)) - 1e-15, std::log(static_cast<double>(p)) + 1e-15),
             Bracket(loss));
  const Bracket got = moment.divergence();
  RC_ASSERT(static_cast<long double>(got.lower()) <= truth * (1 + 1e-12L) + 1e-17L);
  RC_ASSERT(static_cast<long double>(got.upper()) >= truth * (1 - 1e-12L) - 1e-17L);
}

TEST(SymmetricMoment, NothingAddedMeansNoDivergence) {
  SymmetricMoment moment{Alpha(2.0)};
  EXPECT_EQ(moment.divergence(), Bracket(0.0));
  moment.add(Bracket(0.0), Bracket(0.0));
  EXPECT_EQ(moment.divergence(), Bracket(0.0));
}

}  // namespace
}  // namespace doeblin
