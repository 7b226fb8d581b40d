// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cfenv>
#include <functional>

#if defined(__SSE2__)
#include <xmmintrin.h>
#endif

/// Other floating-point modes, for as long as one function runs.
namespace doeblin::test {

/// Runs the function in the mode that `change` sets, and restores the mode that was there.
template <typename Function>
auto in_mode(const std::function<void()>& change, const Function& function) {
  struct Restored {
    std::fenv_t mode;
    Restored() { std::fegetenv(&mode); }
    ~Restored() { std::fesetenv(&mode); }
  } const restored;
  change();
  return function();
}

inline void round_upward() { std::fesetround(FE_UPWARD); }

/// Whether the function throws this.
template <typename Exception, typename Function>
bool throws(const Function& function) {
  try {
    static_cast<void>(function());
  } catch (const Exception&) {
    return true;
  }
  return false;
}

}  // namespace doeblin::test
