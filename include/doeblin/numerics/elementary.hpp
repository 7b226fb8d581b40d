// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/bracket.hpp"

/// Elementary functions of a Bracket, rounded outward.
///
/// Bound    each end is moved outward by kLibraryUlps units in the last place. The C library's stated error for these
///          functions on the supported platforms is at most 1; tests/numerics/elementary_test.cpp measures it.
namespace doeblin::numerics {

inline constexpr int kLibraryUlps = 2;

[[nodiscard]] Bracket exp(const Bracket& x);
[[nodiscard]] Bracket expm1(const Bracket& x);
/// Domain: x >= 0; log(0) is minus infinity.
[[nodiscard]] Bracket log(const Bracket& x);
/// Domain: x >= -1.
[[nodiscard]] Bracket log1p(const Bracket& x);
/// Domain: x >= 0. Correctly rounded by IEEE 754, so one unit suffices.
[[nodiscard]] Bracket sqrt(const Bracket& x);

/// e^x - 1 - x >= 0, without cancellation near 0.
[[nodiscard]] Bracket expm1_minus(const Bracket& x);

/// (1 - e^{-z})/z for z >= 0, continued by 1 at 0: decreasing, in (0, 1].
[[nodiscard]] Bracket decay_mean(const Bracket& z);

/// log(e^x + e^y) for the two ends, without overflow.
[[nodiscard]] Bracket log_add_exp(const Bracket& x, const Bracket& y);

}  // namespace doeblin::numerics
