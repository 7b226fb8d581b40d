// SPDX-License-Identifier: Apache-2.0
#include "doeblin/core/floating_point.hpp"

#include <limits>

#include "doeblin/core/error.hpp"

namespace doeblin {

const char* floating_point_fault() {
  // Volatile, so that the processor computes and not the compiler.
  volatile double one = 1.0;
  volatile double less_than_half = 0x1p-53 * 0.75;
  volatile double more_than_half = 0x1p-53 * 1.25;
  volatile double smallest_normal = std::numeric_limits<double>::min();
  volatile double smallest = std::numeric_limits<double>::denorm_min();
  // Upward spoils the first, downward the second, towards 0 the third; 2^-53 is where nearest changes.
  const bool is_nearest = one + less_than_half == one && -one - less_than_half == -one && one + more_than_half > one;
  if (!is_nearest) return "a rounding mode other than to nearest";
  if (!(smallest_normal / 2.0 > 0.0 && smallest * 0x1p60 > 0.0)) return "subnormal numbers flushed to zero";
  return nullptr;
}

void require_ieee_by_computing() {
  if (const char* fault = floating_point_fault())
    throw InvalidArgument("floating-point mode", fault,
                          "the default mode: call fesetenv(FE_DFL_ENV) in this thread first (a library built with "
                          "-ffast-math changes the mode when it is loaded)");
}

}  // namespace doeblin
