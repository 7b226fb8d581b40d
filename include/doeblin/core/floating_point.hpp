// SPDX-License-Identifier: Apache-2.0
#pragma once

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/// Every bound here rests on IEEE arithmetic: rounding to nearest, and subnormal numbers. Both are modes of the calling
/// thread that any program can change; a library built with -ffast-math does so when it is loaded.
namespace doeblin {

/// What is wrong with the calling thread's arithmetic, found by computing; null if nothing is.
[[nodiscard]] const char* floating_point_fault();

/// Throws the InvalidArgument that says so, if there is such a fault.
void require_ieee_by_computing();

/// The same in about a nanosecond: in all places where answers are made.
inline void require_ieee() {
#if defined(__SSE2__)
  // Flush-to-zero, two bits of rounding, denormals-are-zero.
  constexpr unsigned kModes = 0x8000U | 0x6000U | 0x0040U;
  if ((_mm_getcsr() & kModes) == 0) return;
#endif
  require_ieee_by_computing();
}

}  // namespace doeblin
