// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/mechanism.hpp"

#include "doeblin/profile/group.hpp"

namespace doeblin::pipeline {
Profile nothing_attained() {
  return Profile([](Epsilon) { return Bracket(0.0); }, [](Delta) { return Bracket(0.0); }, {.tight = false});
}

// ---- Made

Mechanism Mechanism::of_profile(const Profile& profile, const RenyiCurve& renyi) {
  return of_dominating(profile, renyi, universal_pair(profile));
}

Mechanism Mechanism::of_dominating(const Profile& profile, const RenyiCurve& renyi, const Dominating<LossPair>& pair) {
  return {profile, renyi, {.dominating = pair}, false};
}

Mechanism Mechanism::of_laws(const Profile& profile, const RenyiCurve& renyi, const LossPairs& pairs) {
  return {profile, renyi, pairs, true};
}

Mechanism Mechanism::of_pair(const LossPair& pair, const RenyiCurve& renyi) {
  return of_laws(profile_of(pair), renyi, LossPairs::exact(pair));
}

Mechanism Mechanism::of(const Gdp& level) {
  Mechanism made = of_pair(LossPair::symmetric_of(profile_of(level)), renyi_of(level));
  made.gaussian_ = level;
  made.noise_ = normal_noise(level.mu);
  made.concentrated_ = Zcdp{level.mu * level.mu * 0.5};
  return std::move(made).with_groups(
      {[level](double k) { return of(doeblin::group(level, k)); }, "GDP for k people: k mu"});
}

Mechanism Mechanism::of(const Zcdp& level) {
  Mechanism made = of_profile(profile_of(level), renyi_of(level));
  made.concentrated_ = level;
  made.examples_.push_back(std::make_shared<const Mechanism>(of(attaining(level))));
  return std::move(made).with_groups(
      {[level](double k) { return of(doeblin::group(level, k)); }, "zCDP for k people: k^2 rho"});
}

Mechanism Mechanism::of(const FiniteMechanism& matrix) {
  const Profile profile = profile_of(matrix);
  LossPairs pairs{.dominating = universal_pair(profile)};
  // Several pairs may be the worst of several matrices about the same people: then nobody is known to have them all.
  if (matrix.adjacent().size() == 1) pairs.attained = Attained(pair_of_rows(matrix, matrix.adjacent()[0]));
  Mechanism made = of_laws(profile, renyi_of(matrix), pairs);
  made.matrix_ = std::make_shared<const FiniteMechanism>(matrix);
  made.attained_by_counts_ = [matrix](const PeopleCounts& first, const PeopleCounts& second) {
    return pair_of_counts(best_walk(matrix, first, second), first, second);
  };
  return std::move(made).with_groups({[matrix](double k) { return of(doeblin::group(matrix, k)); },
                                      "rows at most k steps apart in the graph of neighbours"});
}

namespace {

Profile worst_profile(const std::vector<Mechanism>& cases) {
  ProfileTraits traits{.loss_bound = 0.0};
  std::vector<Profile> profiles;
  for (const Mechanism& one : cases) {
    profiles.push_back(one.profile());
    const ProfileTraits& own = one.profile().traits();
    traits.tight = traits.tight && own.tight;
    traits.costly = traits.costly || own.costly;
    traits.loss_bound = std::max(traits.loss_bound, own.loss_bound);
    traits.goal = own.goal;
  }
  const auto worst = [profiles](const auto& value) {
    Bracket found = value(profiles[0]);
    for (std::size_t i = 1; i < profiles.size(); ++i) found = max(found, value(profiles[i]));
    return found;
  };
  return Profile(
      [worst](Epsilon epsilon) { return worst([&](const Profile& profile) { return profile.delta(epsilon); }); },
      [worst](Delta delta) { return worst([&](const Profile& profile) { return profile.epsilon(delta); }); }, traits);
}

RenyiCurve worst_renyi(const std::vector<Mechanism>& cases) {
  RenyiTraits traits{.single_pair = false, .is_of_profile = true};
  std::vector<RenyiCurve> curves;
  for (const Mechanism& one : cases) {
    curves.push_back(one.renyi());
    traits.tight = traits.tight && one.renyi().traits().tight;
    traits.largest_order = std::min(traits.largest_order, one.renyi().traits().largest_order);
    traits.is_of_profile = traits.is_of_profile && one.renyi().traits().is_of_profile;
  }
  return RenyiCurve(
      [curves](Alpha alpha) {
        Bracket worst(0.0);
        for (const RenyiCurve& curve : curves) worst = max(worst, curve.at(alpha));
        return worst;
      },
      traits);
}

}  // namespace

Mechanism Mechanism::worst_of(const std::vector<Mechanism>& cases) {
  ensure(!cases.empty(), "there is a case");
  if (cases.size() == 1) return cases[0];
  Mechanism made = of_profile(worst_profile(cases), worst_renyi(cases));
  for (const Mechanism& one : cases) made.cases_.push_back(std::make_shared<const Mechanism>(one));
  return made;
}

Profile Mechanism::dominating_profile() const {
  return profile_.traits().costly ? profile_of(*pairs_.dominating) : profile_;
}

// ---- Groups

Mechanism Mechanism::group(double k) const {
  if (k == 1.0) return *this;
  if (single_) return single_().group(neighbours_.people * k);
  Mechanism after = group_of_singles(k).with_single([one = *this] { return one; });
  if (!after.examples_.empty()) return after;
  for (const auto& example : examples_) after = std::move(after).with_example(example->group(k));
  return after;
}

Mechanism Mechanism::group_of_singles(double k) const {
  if (!groups_)
    return of_profile(black_box_group(profile_, k), black_box_group_renyi(profile_, renyi_, k))
        .about(in_groups(neighbours_, k));
  Mechanism after = groups_->of(k);
  if (!groups_->is_attained) {
    // The bound of the rule, and what one person has.
    after = std::move(after).as_bound(Attained(profile_), Attained(renyi_)).with_groups_attained(false);
    after.forget_laws();
    if (groups_->reached) after = std::move(after).with_example(groups_->reached(k));
  }
  return std::move(after).about(in_groups(neighbours_, k));
}

// ---- Changed

Mechanism Mechanism::about(Neighbours neighbours) && {
  for (auto& example : examples_) example = std::make_shared<const Mechanism>(Mechanism(*example).about(neighbours));
  neighbours_ = std::move(neighbours);
  return std::move(*this);
}

Mechanism Mechanism::following(const Mechanism& before) && {
  has_third_law_ = has_third_law_ || before.has_third_law_;
  if (hidden_choice_.empty()) hidden_choice_ = before.hidden_choice_;
  return std::move(*this);
}

Mechanism Mechanism::with_groups(GroupRule rule) && {
  groups_ = std::move(rule);
  return std::move(*this);
}

Mechanism Mechanism::with_groups_attained(bool are_attained) && {
  if (groups_) groups_->is_attained = groups_->is_attained && are_attained;
  return std::move(*this);
}

Mechanism Mechanism::with_noise(std::shared_ptr<const ShiftedNoise> noise) && {
  noise_ = std::move(noise);
  return std::move(*this);
}

Mechanism Mechanism::with_counts(PairOfCounts attained_by_counts) && {
  attained_by_counts_ = std::move(attained_by_counts);
  return std::move(*this);
}

Mechanism Mechanism::with_example(const Mechanism& example) && {
  // What is tight is the worst that the assumption allows.
  if (!profile_.traits().tight) profile_ = raised(profile_, example.profile_);
  if (!renyi_.traits().tight) renyi_ = raised(renyi_, example.renyi_);
  examples_.push_back(std::make_shared<const Mechanism>(example));
  return std::move(*this);
}

Mechanism Mechanism::with_single(std::function<Mechanism()> single) && {
  single_ = std::move(single);
  return std::move(*this);
}

Mechanism Mechanism::with_gaussian_bound(const std::optional<Gdp>& level) && {
  gaussian_bound_ = level;
  return std::move(*this);
}

Mechanism Mechanism::with_laws(const LossPairs& pairs) && {
  pairs_ = pairs;
  has_laws_ = true;
  return std::move(*this);
}

Mechanism Mechanism::with_attained(std::optional<Attained<LossPair>> pair) && {
  pairs_.attained = std::move(pair);
  if (!pairs_.attained) pairs_.is_exact = false;
  return std::move(*this);
}

Mechanism Mechanism::with_kernels(std::shared_ptr<const Mixed> mixed) && {
  mixed_ = std::move(mixed);
  return std::move(*this);
}

Mechanism Mechanism::with_time(std::function<Evaluated(double time)> evolved) && {
  evolved_ = std::move(evolved);
  return std::move(*this);
}

Mechanism Mechanism::with_releases(std::vector<Release> releases) && {
  releases_ = std::move(releases);
  return std::move(*this);
}

Mechanism Mechanism::with_people(std::shared_ptr<const People> people) && {
  people_ = std::move(people);
  return std::move(*this);
}

Mechanism Mechanism::with_hidden_choice(std::string what) && {
  hidden_choice_ = std::move(what);
  return std::move(*this);
}

Mechanism Mechanism::with_worst_places(double share) && {
  worst_places_ = share;
  return std::move(*this);
}

Mechanism Mechanism::with_random_order(std::function<Mechanism()> in_random_order) && {
  in_random_order_ = std::move(in_random_order);
  return std::move(*this);
}

Mechanism Mechanism::around_others(PairAtRate attained_at_rate) && {
  has_third_law_ = true;
  attained_at_rate_ = std::move(attained_at_rate);
  return std::move(*this);
}

Mechanism Mechanism::with_profile(const Profile& profile) && {
  profile_ = profile;
  if (!has_laws_) pairs_ = {.dominating = universal_pair(profile)};
  return std::move(*this);
}

void Mechanism::forget_exactness() {
  if (gaussian_) gaussian_bound_ = gaussian_;
  gaussian_.reset();
  concentrated_.reset();
  noise_.reset();
  attained_by_counts_ = nullptr;
  examples_.clear();
  cases_.clear();
  in_random_order_ = nullptr;
  pairs_ = {.dominating = pairs_.dominating};
}

void Mechanism::forget_laws() {
  pairs_ = {.dominating = universal_pair(profile_)};
  has_laws_ = false;
}

Mechanism Mechanism::as_bound(const Attained<Profile>& profile, const Attained<RenyiCurve>& renyi) && {
  forget_exactness();
  renyi_ = enclosed(renyi, Dominating(renyi_));
  return std::move(*this).with_profile(enclosed(profile, Dominating(profile_)));
}

Mechanism Mechanism::apart(bool is_reached) && {
  forget_exactness();
  renyi_ = enclosed(Attained(renyi_), Dominating(renyi_));
  for (Release& release : releases_)
    release.mechanism = std::make_shared<const Mechanism>(Mechanism(*release.mechanism).apart(is_reached));
  if (single_) single_ = [one = single_, is_reached] { return one().apart(is_reached); };
  return is_reached ? std::move(*this)
                    : std::move(*this).with_profile(enclosed(Attained(nothing_attained()), Dominating(profile_)));
}

}  // namespace doeblin::pipeline
