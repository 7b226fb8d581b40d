// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/loss_pair.hpp"

#include <algorithm>

#include "doeblin/profile/chord_table.hpp"

namespace doeblin {

Dominating<LossPair> universal_pair(const Profile& profile) {
  if (profile.traits().costly) return Dominating(LossPair::symmetric_of(tabulated(profile)));
  if (profile.traits().tight) return Dominating(LossPair::symmetric_of(profile));
  ProfileTraits traits = profile.traits();
  traits.tight = true;
  const auto upper = [profile](Epsilon epsilon) { return Bracket(profile.delta(epsilon).upper()); };
  const auto inverse = [profile](Delta delta) { return Bracket(profile.epsilon(delta).upper()); };
  const auto many = [profile](std::span<const double> epsilon, std::span<double> low, std::span<double> high) {
    static_cast<void>(profile.deltas(epsilon, low, high));
    std::copy(high.begin(), high.end(), low.begin());
    return 0.0;
  };
  return Dominating(LossPair::symmetric_of(Profile(upper, inverse, traits).with_batch(many)));
}

Profile profile_of(const LossPair& pair) {
  if (pair.symmetric) return pair.forward;
  ProfileTraits traits = pair.forward.traits();
  const ProfileTraits& other = pair.backward.traits();
  traits.tight = traits.tight && other.tight;
  traits.loss_bound = std::max(traits.loss_bound, other.loss_bound);
  traits.log_concave = false;
  traits.majorant = nullptr;
  traits.costly = traits.costly || other.costly;
  return Profile([pair](Epsilon epsilon) { return max(pair.forward.delta(epsilon), pair.backward.delta(epsilon)); },
                 [pair](Delta delta) { return max(pair.forward.epsilon(delta), pair.backward.epsilon(delta)); },
                 traits);
}

Profile enclosed(const Attained<Profile>& attained, const Dominating<Profile>& dominating) {
  ProfileTraits traits = dominating->traits();
  traits.tight = false;
  const auto between = [](const Bracket& low, const Bracket& high) { return Bracket(low.lower(), high.upper()); };
  return Profile([=](Epsilon epsilon) { return between(attained->delta(epsilon), dominating->delta(epsilon)); },
                 [=](Delta delta) { return between(attained->epsilon(delta), dominating->epsilon(delta)); }, traits);
}

Profile raised(const Profile& profile, const Profile& other) {
  const auto larger = [](const Bracket& value, const Bracket& at_least) {
    return Bracket(std::max(value.lower(), at_least.lower()), value.upper());
  };
  ProfileTraits traits = profile.traits();
  traits.costly = traits.costly || other.traits().costly;
  return Profile([=](Epsilon epsilon) { return larger(profile.delta(epsilon), other.delta(epsilon)); },
                 [=](Delta delta) { return larger(profile.epsilon(delta), other.epsilon(delta)); }, traits);
}

Profile tightened(const Profile& profile, const Profile& other) {
  ProfileTraits traits;
  traits.tight = false;
  traits.costly = profile.traits().costly || other.traits().costly;
  traits.loss_bound = std::min(profile.traits().loss_bound, other.traits().loss_bound);
  const auto better = [](const Bracket& first, const Bracket& second) {
    return Bracket(first.lower(), std::min(first.upper(), second.upper()));
  };
  return Profile([=](Epsilon epsilon) { return better(profile.delta(epsilon), other.delta(epsilon)); },
                 [=](Delta delta) { return better(profile.epsilon(delta), other.epsilon(delta)); }, traits);
}

}  // namespace doeblin
