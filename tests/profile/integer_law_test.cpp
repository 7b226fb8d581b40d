// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/integer_law.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

// By plain sums, in extended precision.
template <typename Weight>
void expect_sums(const IntegerLaw& law, const Weight& weight, long farthest) {
  long double total = 0.0L;
  for (long k = -farthest; k <= farthest; ++k) total += weight(std::labs(k));
  long double tail = 0.0L;
  for (long k = farthest; k >= -farthest; --k) {
    tail += weight(std::labs(k));
    const auto x = static_cast<double>(k);
    const auto mass = static_cast<double>(weight(std::labs(k)) / total);
    const auto beyond = static_cast<double>(tail / total);
    if (mass < 1e-280) continue;
    EXPECT_LE(law.mass(x).lower(), mass * (1.0 + 1e-14)) << k;
    EXPECT_GE(law.mass(x).upper(), mass * (1.0 - 1e-14)) << k;
    EXPECT_LE(law.mass(x).width(), 1e-11 * mass) << k;
    EXPECT_LE(law.tail(x).lower(), beyond * (1.0 + 1e-14)) << k;
    EXPECT_GE(law.tail(x).upper(), beyond * (1.0 - 1e-14)) << k;
    EXPECT_LE(law.tail(x).width(), 1e-11 * beyond) << k;
  }
}

TEST(IntegerLaw, NormalNoiseIsItsSums) {
  for (const double sigma : {0.05, 0.5, 1.0, 2.0, 17.3, 300.0}) {
    const auto law = law_of(DiscreteGaussian{sigma, 3.0});
    ASSERT_NE(law, nullptr);
    EXPECT_EQ(law->unit, 3.0);
    const long double s = sigma;
    expect_sums(
        *law, [s](long k) { return std::exp(-static_cast<long double>(k) * k / (2.0L * s * s)); },
        static_cast<long>(std::ceil(40.0 * sigma)));
  }
}

TEST(IntegerLaw, LaplaceNoiseIsItsSums) {
  for (const double scale : {0.05, 0.5, 1.5, 20.0}) {
    const auto law = law_of(DiscreteLaplace{scale, 2.0});
    ASSERT_NE(law, nullptr);
    const long double b = scale;
    expect_sums(
        *law, [b](long k) { return std::exp(-k / b); }, static_cast<long>(std::ceil(800.0 * scale)));
  }
}

TEST(IntegerLaw, Edges) {
  EXPECT_EQ(law_of(DiscreteGaussian{300.1}), nullptr);
  EXPECT_EQ(law_of(DiscreteGaussian{1e-4}), nullptr);
  const auto law = law_of(DiscreteGaussian{2.0});
  EXPECT_EQ(law->mass(1e9).lower(), 0.0);
  EXPECT_LT(law->mass(1e9).upper(), 1e-290);
  EXPECT_LT(law->tail(1e9).upper(), 1e-290);
  EXPECT_GT(law->tail(-1e9).lower(), 1.0 - 1e-15);
  EXPECT_LE(law->tail(-1e9).upper(), 1.0);
}

}  // namespace
}  // namespace doeblin
