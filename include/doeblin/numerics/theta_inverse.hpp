// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/bracket.hpp"
#include "doeblin/numerics/wide.hpp"

/// Solving theta_g(r) = delta for epsilon = log g, and the plain estimate that searches use before they certify.
namespace doeblin::numerics {

/// log theta_{e^epsilon}(r) in plain doubles: about 12 digits and no claim. For searches whose result is evaluated with
/// brackets afterwards; several times faster than log_theta.
///
/// Domain   epsilon >= 0, r >= 0; never NaN
[[nodiscard]] double log_theta_estimate(double epsilon, double r);

/// The smallest epsilon >= 0 with theta_{e^epsilon}(r) <= delta.
///
/// Domain   r >= 0, 0 < delta <= 1
/// Bound    theta is certainly at most delta at the upper end, and certainly above it at the lower end (or that is 0)
/// Method   log theta is concave in epsilon, so Newton's method from the right stays there and converges
///          quadratically; then two certified evaluations on both sides
/// Cost     about 5 estimates and 2 evaluations of theta
[[nodiscard]] Bracket theta_inverse(double delta, const Wide& r);

/// The same for an r that is only known to lie in a bracket; both ends cost no more than one. `hint` > 0 is an epsilon
/// near the answer, if one is known.
[[nodiscard]] Bracket theta_inverse(double delta, const Bracket& r, double hint = 0.0);

}  // namespace doeblin::numerics
