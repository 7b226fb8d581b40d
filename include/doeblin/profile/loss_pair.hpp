// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "doeblin/profile/ends.hpp"
#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// A pair of laws (P, Q), known through its divergences in both directions.
struct LossPair {
  Profile forward;   ///< D_{e^eps}(P||Q), eps >= 0
  Profile backward;  ///< D_{e^eps}(Q||P)
  bool symmetric = false;

  [[nodiscard]] static LossPair symmetric_of(const Profile& profile) { return {profile, profile, true}; }
};

/// What composition needs to know about a mechanism. Its neighbours are (first, second) or (second, first); the
/// direction is the same in every mechanism about the same person.
struct LossPairs {
  /// D(M(x)||M(x')) <= D(P||Q) and D(M(x')||M(x)) <= D(Q||P) at every eps, for all neighbours in the forward order.
  Dominating<LossPair> dominating;
  /// A pair that some neighbours have; the composition is at least as bad as that of this pair.
  std::optional<Attained<LossPair>> attained = std::nullopt;
  /// The two are the same pair.
  bool is_exact = false;

  [[nodiscard]] static LossPairs exact(const LossPair& pair) { return {Dominating(pair), Attained(pair), true}; }
};

/// Upper ends of a profile as a pair of laws, the same in both directions: it dominates whatever has this profile
/// (catalogue C7). Its values are these ends themselves.
[[nodiscard]] Dominating<LossPair> universal_pair(const Profile& profile);

/// The larger of both directions.
[[nodiscard]] Profile profile_of(const LossPair& pair);

/// From the lower ends of what some neighbours have to the upper ends of what holds for all.
[[nodiscard]] Profile enclosed(const Attained<Profile>& attained, const Dominating<Profile>& dominating);

/// The larger of the two lower ends, where both hold.
[[nodiscard]] Profile raised(const Profile& profile, const Profile& other);

/// The smaller of the two upper ends, where both hold; the lower ends of the first. Not meant to close.
[[nodiscard]] Profile tightened(const Profile& profile, const Profile& other);

}  // namespace doeblin
