// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/parameters.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace doeblin {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

TEST(Parameters, NoiseIsPositiveAndFinite) {
  EXPECT_NO_THROW(require_noise("sigma", 1e-300));
  for (const double bad : {0.0, -1.0, kInfinity, std::nan("")})
    EXPECT_THROW(require_noise("sigma", bad), InvalidArgument);
}

TEST(Parameters, SensitivityMayBeZero) {
  EXPECT_NO_THROW(require_sensitivity(0.0));
  for (const double bad : {-1.0, kInfinity, std::nan("")}) EXPECT_THROW(require_sensitivity(bad), InvalidArgument);
}

TEST(Parameters, IntegerSensitivity) {
  EXPECT_NO_THROW(require_integer_sensitivity(3.0));
  for (const double bad : {1.5, -1.0, 0x1p41, std::nan("")})
    EXPECT_THROW(require_integer_sensitivity(bad), InvalidArgument);
}

}  // namespace
}  // namespace doeblin
