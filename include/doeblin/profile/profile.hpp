// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/core/types.hpp"

namespace doeblin {

/// What is known about a profile besides its values.
struct ProfileTraits {
  /// Lower and upper enclose one number, the profile of one mechanism. Otherwise `upper` holds for every mechanism
  /// that meets the assumption and `lower` is reached by one of them.
  bool tight = true;
  /// delta is constant from here on: an upper bound on the largest finite privacy loss; infinity if none is known.
  double loss_bound = rounding::kInfinity;
  /// log delta is concave in epsilon (so it is when the privacy loss has a log-concave density).
  bool log_concave = false;
  /// One evaluation takes a search of its own (milliseconds rather than microseconds).
  bool costly = false;
};

/// A privacy profile: delta as a function of epsilon, the larger of both directions of every neighbouring pair.
class Profile {
 public:
  using Function = std::function<Bracket(Epsilon)>;

  using Inverse = std::function<Bracket(Delta)>;

  /// The inverse is found by bisection.
  explicit Profile(Function delta, ProfileTraits traits = {});
  /// A profile that knows its inverse.
  Profile(Function delta, Inverse epsilon, ProfileTraits traits = {});

  /// Encloses sup over neighbouring pairs of D_{e^epsilon}(P||Q).
  [[nodiscard]] Bracket delta(Epsilon epsilon) const { return delta_(epsilon); }

  /// Encloses the smallest epsilon >= 0 with delta(epsilon) <= delta; infinite when there is none.
  [[nodiscard]] Bracket epsilon(Delta delta) const { return epsilon_(delta); }

  [[nodiscard]] const ProfileTraits& traits() const { return traits_; }

 private:
  Function delta_;
  Inverse epsilon_;
  ProfileTraits traits_;
};

/// Anything with `delta(m, Epsilon)` and `profile_traits(m)`.
template <typename M>
[[nodiscard]] Profile profile_of(const M& mechanism) {
  return Profile([mechanism](Epsilon epsilon) { return delta(mechanism, epsilon); }, profile_traits(mechanism));
}

}  // namespace doeblin
