// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/bracket.hpp"
#include "doeblin/numerics/wide.hpp"

namespace doeblin::numerics {

/// The difference of Gaussian tails theta_g(r) at g = e^epsilon.
///
/// Formula  theta = Q(epsilon/r - r/2) - e^epsilon Q(epsilon/r + r/2), theta = 0 at r = 0
/// Domain   epsilon >= 0, r >= 0, both may be infinite
/// Bound    encloses theta; relative width <= 1e-13 wherever theta > 1e-300 and r is known to 2^-90; a positive theta
///          below the smallest double gives upper = that double
/// Method   phi(a) (R(a) - R(b)) with a = epsilon/r - r/2 and b = a + r in double-double arithmetic; a close pair is
///          expanded around one centre, so nothing cancels; e^epsilon is never formed
[[nodiscard]] Bracket theta(double epsilon, const Wide& r);

/// log theta, for the tails that no double can hold.
///
/// Bound    encloses log theta; width <= 1e-13 max(1, |log theta|) for 1e-270 < r < 2^30
[[nodiscard]] Bracket log_theta(double epsilon, const Wide& r);

}  // namespace doeblin::numerics
