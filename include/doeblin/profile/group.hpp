// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

/// Guarantees for k people at once (catalogue C4).
namespace doeblin {

/// Throws unless k is an integer, 1 <= k <= 2^53.
void require_group_size(double k);

/// Whatever the mechanism is.
///
/// Formula  delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k), with the limit k at eps = 0; for a pure
///          eps0-DP mechanism also P4 at k eps0
/// Source   catalogue C4, black box
/// Bound    `upper` holds for every mechanism with this profile; `lower` is the guarantee for one person, which a
///          group cannot beat
[[nodiscard]] Profile black_box_group(const Profile& profile, double k);

/// A pure mechanism stays pure, which bounds every order; otherwise nothing is known about the orders of a group.
[[nodiscard]] RenyiCurve black_box_group_renyi(const Profile& profile, const RenyiCurve& renyi, double k);

namespace detail {

// The mechanism at sensitivity k * sensitivity, whose guarantee the group has (white box). The product may not be a
// double: each side of a bracket then takes the neighbour on its own side, since every guarantee grows with it.
template <typename M>
std::pair<M, M> at_group_sensitivity(const M& mechanism, double k) {
  require_group_size(k);
  M low = mechanism;
  M high = mechanism;
  low.sensitivity = rounding::mul_down(mechanism.sensitivity, k);
  high.sensitivity = rounding::mul_up(mechanism.sensitivity, k);
  high.validate();
  return {low, high};
}

}  // namespace detail

/// A mechanism with a sensitivity: k people move the value by k times as much. Catalogue C4, white box.
template <typename M>
[[nodiscard]] Profile white_box_group(const M& mechanism, double k) {
  const std::pair<M, M> ends = detail::at_group_sensitivity(mechanism, k);
  if (ends.first.sensitivity == ends.second.sensitivity) return profile_of(ends.second);
  const auto enclosed = [ends](Epsilon epsilon) {
    return Bracket(delta(ends.first, epsilon).lower(), delta(ends.second, epsilon).upper());
  };
  return Profile(enclosed, profile_traits(ends.second));
}

template <typename M>
[[nodiscard]] RenyiCurve white_box_group_renyi(const M& mechanism, double k) {
  const std::pair<M, M> ends = detail::at_group_sensitivity(mechanism, k);
  if (ends.first.sensitivity == ends.second.sensitivity) return renyi_of(ends.second);
  return RenyiCurve([low = renyi_of(ends.first), high = renyi_of(ends.second)](Alpha alpha) {
    return Bracket(low.at(alpha).lower(), high.at(alpha).upper());
  });
}

}  // namespace doeblin
