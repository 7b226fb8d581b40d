// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <span>

#include "doeblin/core/accuracy.hpp"
#include "doeblin/core/floating_point.hpp"
#include "doeblin/core/types.hpp"

namespace doeblin {

class Profile;

/// What is known about a profile besides its values.
struct ProfileTraits {
  /// Lower and upper enclose one number, the profile of one mechanism. Otherwise `upper` holds for every mechanism
  /// that meets the assumption and `lower` is reached by one of them.
  bool tight = true;
  /// delta is constant from here on: an upper bound on the largest finite privacy loss; infinity if none is known.
  double loss_bound = rounding::kInfinity;
  /// log delta is concave in epsilon (so it is when the privacy loss has a log-concave density).
  bool log_concave = false;
  /// A log-concave profile that lies above this one, where it is not log-concave itself.
  std::shared_ptr<const Profile> majorant = nullptr;
  /// All finite losses are about whole multiples of this; 0 where they are not known to be.
  double loss_step = 0.0;
  /// One evaluation takes a search of its own (milliseconds rather than microseconds).
  bool costly = false;
  /// How wide a tight bracket may be.
  AccuracyGoal goal = {};
};

/// A privacy profile: delta as a function of epsilon, the larger of both directions of every neighbouring pair.
class Profile {
 public:
  using Function = std::function<Bracket(Epsilon)>;

  using Inverse = std::function<Bracket(Delta)>;
  /// delta at many epsilons: lower and upper ends. Returns a bound on how far these are apart.
  using Batch = std::function<double(std::span<const double>, std::span<double>, std::span<double>)>;

  /// The inverse is found by bisection.
  explicit Profile(const Function& delta, ProfileTraits traits = {});
  /// A profile that knows its inverse.
  Profile(Function delta, Inverse epsilon, ProfileTraits traits = {});

  /// Encloses sup over neighbouring pairs of D_{e^epsilon}(P||Q).
  /// Errors   InvalidArgument when the calling thread's floating-point mode makes bounds worthless; also below
  [[nodiscard]] Bracket delta(Epsilon epsilon) const { return require_ieee(), known_->delta(epsilon); }

  /// [lower[i], upper[i]] encloses delta at epsilon[i]; of a few values each is delta(epsilon[i]). On all cores, unless
  /// an evaluation is costly. Returns a bound on all upper[i] - lower[i].
  /// Errors   InvalidArgument for an epsilon below 0 or NaN
  [[nodiscard]] double deltas(std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) const;

  /// The same profile with a faster way to many values.
  [[nodiscard]] Profile with_batch(Batch batch) &&;

  /// Encloses the smallest epsilon >= 0 with delta(epsilon) <= delta; infinite when there is none.
  [[nodiscard]] Bracket epsilon(Delta delta) const { return require_ieee(), known_->epsilon(delta); }

  [[nodiscard]] const ProfileTraits& traits() const { return known_->traits; }

 private:
  struct Known {
    Function delta;
    Inverse epsilon;
    ProfileTraits traits;
    Batch batch = {};
  };
  // Shared by copies: stages hold profiles of profiles, and what these hold in turn would be copied with each.
  std::shared_ptr<const Known> known_;
};

/// Anything with `delta(m, Epsilon)` and `profile_traits(m)`, and perhaps `deltas(m, epsilon, lower, upper)`.
template <typename M>
[[nodiscard]] Profile profile_of(const M& mechanism) {
  Profile profile([mechanism](Epsilon epsilon) { return delta(mechanism, epsilon); }, profile_traits(mechanism));
  if constexpr (requires(std::span<const double> in, std::span<double> out) { deltas(mechanism, in, out, out); })
    return std::move(profile).with_batch(
        [mechanism](std::span<const double> epsilon, std::span<double> lower, std::span<double> upper) {
          return deltas(mechanism, epsilon, lower, upper);
        });
  else
    return profile;
}

}  // namespace doeblin
