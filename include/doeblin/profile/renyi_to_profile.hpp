// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_conversion.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// The profile that a Renyi curve implies: at each epsilon the best single order, converted by the optimal rule.
///
/// Source   catalogue C3
/// Bound    `upper` holds for every mechanism with this curve; `lower` comes from `attained`, the profile of a
///          mechanism that has it
[[nodiscard]] Profile profile_from_renyi(const RenyiCurve& curve, const Profile& attained,
                                         RenyiRule rule = RenyiRule::kOptimal);

}  // namespace doeblin
