// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/settings.hpp"
#include "doeblin/profile/renyi_point.hpp"

/// From one Renyi order to (epsilon, delta), catalogue C3.
namespace doeblin {

/// The smallest epsilon at delta that a bound on the divergence of one direction implies; some pair needs it.
///
/// Formula  the smallest eps with  min over p in (delta, 1] of
///          p^alpha (p - delta)^{1-alpha} + (1-p)^alpha (e^eps - p + delta)^{1-alpha}
///          >= e^{(alpha-1)(divergence - eps)}
/// Source   catalogue C3, the optimal rule for one order
/// Bound    encloses that epsilon; relative width <= 1e-6 (1e-9 away from alpha = 1)
/// Method   the sum is convex in p: a numerical minimiser, then tangents whose slopes are certified by sign
[[nodiscard]] Bracket optimal_epsilon(const RenyiPoint& point, Delta delta);

/// The largest delta at epsilon that such a bound allows; the inverse of the above.
[[nodiscard]] Bracket optimal_delta(const RenyiPoint& point, Epsilon epsilon);

/// Whether the two-point pair that attains the rule at (epsilon, delta) meets the bound with its laws exchanged too, as
/// differential privacy asks. False when in doubt.
[[nodiscard]] bool attaining_pair_is_reversible(const RenyiPoint& point, double epsilon, double delta);

/// The published rules; upper bounds.
[[nodiscard]] double textbook_epsilon_upper(const RenyiPoint& point, Delta delta);
[[nodiscard]] double textbook_delta_upper(const RenyiPoint& point, Epsilon epsilon);
[[nodiscard]] double canonne_kamath_steinke_epsilon_upper(const RenyiPoint& point, Delta delta);
[[nodiscard]] double canonne_kamath_steinke_delta_upper(const RenyiPoint& point, Epsilon epsilon);

/// [CKS20]'s rule in plain doubles: nothing is promised. About where the optimal one is.
[[nodiscard]] double closed_form_epsilon(const RenyiPoint& point, double delta);
[[nodiscard]] double closed_form_log_delta(const RenyiPoint& point, double epsilon);

/// The optimal rule in plain doubles, for choosing an order among many: nothing is promised.
[[nodiscard]] double approximate_epsilon(const RenyiPoint& point, double delta);
[[nodiscard]] double approximate_log_delta(const RenyiPoint& point, double epsilon);

}  // namespace doeblin
