// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

namespace doeblin::test {

/// A double in [low, high].
inline double uniform(double low, double high) {
  const auto k = *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 53);
  return low + (high - low) * (static_cast<double>(k) * 0x1p-53);
}

/// A double in [low, high], uniform on a logarithmic scale.
inline double log_uniform(double low, double high) { return std::exp(uniform(std::log(low), std::log(high))); }

}  // namespace doeblin::test
