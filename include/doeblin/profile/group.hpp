// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

/// Guarantees for k people at once (catalogue C4).
namespace doeblin {

/// Throws unless k is an integer, 1 <= k <= 2^53.
void require_group_size(double k);

/// Whatever the mechanism is.
///
/// Formula  delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k), with the limit k at eps = 0
/// Source   catalogue C4, black box
/// Bound    `upper` holds for every mechanism with this profile; `lower` is the guarantee for one person, which a
///          group cannot beat
[[nodiscard]] Profile black_box_group(const Profile& profile, double k);

namespace detail {

// The mechanism at sensitivity k * sensitivity, whose guarantee the group has (white box). The product may not be a
// double: each side of the bracket then takes the neighbour on its own side, since every guarantee grows with it.
template <typename M, typename Query>
Bracket at_group_sensitivity(const M& mechanism, double k, const Query& query) {
  M low = mechanism;
  M high = mechanism;
  low.sensitivity = rounding::mul_down(mechanism.sensitivity, k);
  high.sensitivity = rounding::mul_up(mechanism.sensitivity, k);
  if (low.sensitivity == high.sensitivity) return query(high);
  return {query(low).lower(), query(high).upper()};
}

}  // namespace detail

/// A mechanism with a sensitivity: k people move the value by k times as much. Catalogue C4, white box.
template <typename M>
[[nodiscard]] Profile white_box_group(const M& mechanism, double k) {
  require_group_size(k);
  M widest = mechanism;
  widest.sensitivity = rounding::mul_up(mechanism.sensitivity, k);
  widest.validate();
  return Profile(
      [mechanism, k](Epsilon epsilon) {
        return detail::at_group_sensitivity(mechanism, k, [&](const M& m) { return delta(m, epsilon); });
      },
      profile_traits(widest));
}

template <typename M>
[[nodiscard]] RenyiCurve white_box_group_renyi(const M& mechanism, double k) {
  require_group_size(k);
  return RenyiCurve([mechanism, k](Alpha alpha) {
    return detail::at_group_sensitivity(mechanism, k, [&](const M& m) { return rdp(m, alpha); });
  });
}

}  // namespace doeblin
