// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/bracket.hpp"

/// The upper tail Q of the standard normal law and its Mills ratio R(x) = Q(x)/phi(x).
namespace doeblin::numerics {

/// Formula  R(x) = int_0^inf exp(-x t - t^2/2) dt
/// Domain   x >= 0
/// Bound    encloses R; relative width <= 1e-15
/// Method   Taylor expansion around tabulated centres below 63, asymptotic series above
[[nodiscard]] Bracket mills_ratio(double x);

/// Formula  log Q(x)
/// Domain   any x; -infinity gives exactly 0, infinity gives -infinity
/// Bound    encloses log Q(x); width <= 1e-12 |log Q(x)| wherever |log Q(x)| > 1e-290
[[nodiscard]] Bracket log_normal_tail(double x);

/// Formula  Q(x)
/// Domain   any x
/// Bound    encloses Q(x); relative width <= 1e-11 wherever Q(x) > 1e-300
[[nodiscard]] Bracket normal_tail(double x);

}  // namespace doeblin::numerics
