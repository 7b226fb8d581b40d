// SPDX-License-Identifier: Apache-2.0
#include "doeblin/composition/composition.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/core/whole.hpp"
#include "doeblin/profile/renyi_to_profile.hpp"

namespace doeblin {

void require_count(double k) { require_whole("k", k, 1.0, 0x1p53); }

Gdp compose(const std::vector<Gdp>& parts) {
  numerics::Wide squares;
  for (const Gdp& part : parts) squares = squares + part.mu * part.mu;
  return {sqrt(squares)};
}

Gdp compose(const Gdp& part, double k) {
  require_count(k);
  return {part.mu * sqrt(numerics::Wide(k))};
}

Zcdp compose(const std::vector<Zcdp>& parts) {
  numerics::Wide sum;
  for (const Zcdp& part : parts) sum = sum + part.rho;
  return {sum};
}

Zcdp compose(const Zcdp& part, double k) {
  require_count(k);
  return {part.rho * k};
}

RenyiCurve compose(const std::vector<RenyiCurve>& parts) {
  if (parts.size() == 1) return parts[0];
  RenyiTraits common{.is_of_profile = true};
  for (const RenyiCurve& part : parts) {
    common.largest_order = std::min(common.largest_order, part.traits().largest_order);
    common.tight = common.tight && part.traits().tight && part.traits().single_pair;
    common.single_pair = common.single_pair && part.traits().single_pair;
    common.is_of_profile = common.is_of_profile && part.traits().is_of_profile;
  }
  const auto divergence = [parts, adds = common.single_pair](Alpha alpha) {
    Bracket sum(0.0);
    double worst = 0.0;
    for (const RenyiCurve& part : parts) {
      const Bracket one = part.at(alpha);
      sum = sum + one;
      worst = std::max(worst, one.lower());
    }
    return adds ? sum : Bracket(worst, sum.upper());
  };
  return RenyiCurve(divergence, common);
}

RenyiCurve compose(const RenyiCurve& part, double k) {
  require_count(k);
  return RenyiCurve([part, k](Alpha alpha) { return part.at(alpha) * k; }, part.traits());
}

namespace {

// sum_i count_i delta_i(share_i) for any shares that add up to eps: epsilons and deltas add.
double added_deltas(const std::vector<ProfilePart>& parts, const std::vector<double>& shares) {
  double sum = 0.0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    sum = rounding::add_up(sum, rounding::mul_up(parts[i].count, parts[i].profile.delta(Epsilon(shares[i])).upper()));
  return std::min(1.0, sum);
}

// Every release gets the same share.
std::vector<double> even_shares(const std::vector<ProfilePart>& parts, double epsilon) {
  double releases = 0.0;
  for (const ProfilePart& part : parts) releases = rounding::add_up(releases, part.count);
  return std::vector<double>(parts.size(), rounding::div_down(epsilon, releases));
}

// Releases of bounded loss get all they can use, the others share the rest; empty when there is not enough.
std::vector<double> shares_by_bound(const std::vector<ProfilePart>& parts, double epsilon) {
  double bounded = 0.0;
  double unbounded_releases = 0.0;
  for (const ProfilePart& part : parts) {
    const double bound = part.profile.traits().loss_bound;
    if (std::isinf(bound))
      unbounded_releases = rounding::add_up(unbounded_releases, part.count);
    else
      bounded = rounding::add_up(bounded, rounding::mul_up(part.count, bound));
  }
  const double rest = rounding::sub_down(epsilon, bounded);
  if (rest < 0.0) return {};
  std::vector<double> shares;
  for (const ProfilePart& part : parts) {
    const double bound = part.profile.traits().loss_bound;
    shares.push_back(std::isinf(bound) ? rounding::div_down(rest, unbounded_releases) : bound);
  }
  return shares;
}

}  // namespace

Profile least_private_part(const std::vector<ProfilePart>& parts) {
  const auto delta = [parts](Epsilon epsilon) {
    double worst = 0.0;
    for (const ProfilePart& part : parts) worst = std::max(worst, part.profile.delta(epsilon).lower());
    return Bracket(worst, 1.0);
  };
  const auto epsilon = [parts](Delta at) {
    double worst = 0.0;
    for (const ProfilePart& part : parts) worst = std::max(worst, part.profile.epsilon(at).lower());
    return Bracket(worst, rounding::kInfinity);
  };
  return Profile(delta, epsilon, {.tight = false});
}

Profile added_profile(const std::vector<ProfilePart>& parts) {
  const bool costly =
      std::any_of(parts.begin(), parts.end(), [](const ProfilePart& part) { return part.profile.traits().costly; });
  const auto delta = [parts, least = least_private_part(parts)](Epsilon epsilon) {
    double upper = added_deltas(parts, even_shares(parts, epsilon.value()));
    if (const auto shares = shares_by_bound(parts, epsilon.value()); !shares.empty())
      upper = std::min(upper, added_deltas(parts, shares));
    return Bracket(least.delta(epsilon).lower(), upper);
  };
  return Profile(delta, {.tight = false, .costly = costly});
}

Profile composed_profile(const RenyiCurve& total, const std::vector<ProfilePart>& parts) {
  Profile added = added_profile(parts);
  if (!(total.traits().largest_order > 1.0)) return added;
  // Adding needs many evaluations of each part: when they are costly it is kept for where Renyi says nothing.
  const Profile basic = added.traits().costly ? least_private_part(parts) : added;
  const Profile renyi = profile_from_renyi(total, basic);
  return Profile([=](Epsilon epsilon) { return min(renyi.delta(epsilon), basic.delta(epsilon)); },
                 [=](Delta delta) { return min(renyi.epsilon(delta), basic.epsilon(delta)); },
                 {.tight = false, .costly = true});
}

namespace {

constexpr double kAlmost = 10.0;

}  // namespace

Profile first_if_narrow(const Profile& first, const Profile& second) {
  const auto better = [](const Bracket& a, const Bracket& b) {
    return Bracket(std::max(a.lower(), b.lower()), std::min(a.upper(), b.upper()));
  };
  // The second is slow, and rarely helps where the first almost made it.
  AccuracyGoal good_enough = first.traits().goal;
  good_enough.epsilon_width *= kAlmost;
  good_enough.epsilon_relative_width *= kAlmost;
  good_enough.delta_width *= kAlmost;
  // A bracket that is not meant to close is as good as it gets once it says anything.
  const bool open = !first.traits().tight;
  const auto delta = [=](Epsilon epsilon) {
    const Bracket value = first.delta(epsilon);
    if ((open && value.upper() < 1.0) || good_enough.is_met_by_delta(value)) return value;
    return better(value, second.delta(epsilon));
  };
  const auto epsilon = [=](Delta at) {
    const Bracket value = first.epsilon(at);
    if ((open && std::isfinite(value.upper())) || good_enough.is_met_by_epsilon(value)) return value;
    return better(value, second.epsilon(at));
  };
  return Profile(delta, epsilon, first.traits());
}

Profile worst_case(const std::vector<CaseProfile>& cases) {
  ensure(!cases.empty(), "there is a case");
  ProfileTraits traits = cases[0].profile.traits();
  for (const CaseProfile& one : cases) {
    const ProfileTraits& own = one.profile.traits();
    traits.tight = traits.tight && own.tight;
    traits.costly = traits.costly || own.costly;
    traits.loss_bound = std::max(traits.loss_bound, own.loss_bound);
  }
  traits.log_concave = false;
  traits.majorant = nullptr;
  const auto worst = [cases](const auto& value) {
    Bracket found = value(cases[0].profile);
    for (std::size_t i = 1; i < cases.size(); ++i) {
      const Bracket about = value(cases[i].rough);
      found = about.upper() <= found.upper() ? Bracket(std::max(found.lower(), about.lower()), found.upper())
                                             : max(found, value(cases[i].profile));
    }
    return found;
  };
  return Profile(
      [worst](Epsilon epsilon) { return worst([&](const Profile& profile) { return profile.delta(epsilon); }); },
      [worst](Delta delta) { return worst([&](const Profile& profile) { return profile.epsilon(delta); }); }, traits);
}

}  // namespace doeblin
