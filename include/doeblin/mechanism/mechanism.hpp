// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "doeblin/core/derivation.hpp"
#include "doeblin/core/neighbours.hpp"
#include "doeblin/mechanism/people.hpp"
#include "doeblin/profile/finite.hpp"
#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/loss_pair.hpp"
#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"
#include "doeblin/profile/shifted_noise.hpp"
#include "doeblin/profile/walk.hpp"
#include "doeblin/profile/zcdp.hpp"

namespace doeblin::pipeline {

class Mechanism;
struct Mixed;
struct Evaluated;

/// A mechanism that is run `count` times as part of a composition.
struct Release {
  std::shared_ptr<const Mechanism> mechanism;
  double count;
};

/// What k people at once have, from the inside of a mechanism.
struct GroupRule {
  std::function<Mechanism(double k)> of;
  /// Why that is so, for the derivation.
  std::string statement;
  /// k people may be as badly off as the rule says; otherwise it is a bound only.
  bool is_attained = true;
  std::string source = "C4";
  /// What some k people have, where the rule is a bound only; empty if nothing is known.
  std::function<Mechanism(double k)> reached = {};
};

/// What is known about a mechanism at some point of a pipeline, and about whom.
///
/// Invariant  profile, Renyi curve and pairs are about the same mechanism and the same neighbours: upper ends hold for
///            all of these, lower ends are reached by some. A dominating pair is always there: where no laws are known,
///            the profile is one (catalogue C7)
///
/// Made by `of...`, changed by functions that say what happens to it; nothing is assigned. Facts (a Gaussian level, a
/// matrix, the parts of a composition) make later stages sharper or faster: whoever loses one loses width or time, never
/// truth. What must not be lost, a stage inherits (`following`).
class Mechanism {
 public:
  // ---- Made

  /// Exactly Gaussian: some neighbours are as far apart as N(mu, 1) and N(0, 1), none are further.
  [[nodiscard]] static Mechanism of(const Gdp& level);
  /// Every order of the Renyi divergence is bounded.
  [[nodiscard]] static Mechanism of(const Zcdp& level);
  /// A matrix.
  [[nodiscard]] static Mechanism of(const FiniteMechanism& matrix);
  /// One pair of laws, exchanged or not, is that of the worst neighbours.
  [[nodiscard]] static Mechanism of_pair(const LossPair& pair, const RenyiCurve& renyi);
  /// The laws behind the profile are known, in both directions.
  [[nodiscard]] static Mechanism of_laws(const Profile& profile, const RenyiCurve& renyi, const LossPairs& pairs);
  /// Nothing but the profile is known.
  [[nodiscard]] static Mechanism of_profile(const Profile& profile, const RenyiCurve& renyi);
  /// The profile is what is known, and a pair that dominates is better than the profile as one: after it was sampled.
  [[nodiscard]] static Mechanism of_dominating(const Profile& profile, const RenyiCurve& renyi,
                                               const Dominating<LossPair>& pair);
  /// Any two neighbours are one of several cases, the same one in every release about them: what holds is the worst.
  [[nodiscard]] static Mechanism worst_of(const std::vector<Mechanism>& cases);
  /// Nothing depends on anybody.
  [[nodiscard]] static Mechanism perfect() { return of(Gdp::level(0.0)); }

  // ---- Known

  [[nodiscard]] const Neighbours& neighbours() const { return neighbours_; }
  [[nodiscard]] const Profile& profile() const { return profile_; }
  [[nodiscard]] const RenyiCurve& renyi() const { return renyi_; }
  [[nodiscard]] const LossPairs& pairs() const { return pairs_; }
  /// Upper ends for those who ask at many places: the profile's, or those of the pair where asking the profile is costly.
  [[nodiscard]] Profile dominating_profile() const;
  /// The pairs are those of laws that are known, rather than the profile once more.
  [[nodiscard]] bool has_laws() const { return has_laws_; }

  /// The same mechanism for k people: from its inside where that is known, else by the black-box rule (catalogue C4).
  /// A group of 1 is the mechanism itself.
  [[nodiscard]] Mechanism group(double k) const;
  /// What one of a group has, for stages that ask everybody for themselves; empty unless it is about a group.
  [[nodiscard]] const std::function<Mechanism()>& single() const { return single_; }
  /// Null where only the black-box rule is known.
  [[nodiscard]] const GroupRule* group_rule() const { return groups_ ? &*groups_ : nullptr; }
  [[nodiscard]] bool groups_are_attained() const { return !groups_ || groups_->is_attained; }

  // ---- Facts

  /// Noise around a value that everybody moves by at most a unit: k people are a shift by k, and the same noise is around
  /// every value (catalogue N1). Null where something else is known, or less.
  [[nodiscard]] const std::shared_ptr<const ShiftedNoise>& noise() const { return noise_; }
  /// The pair of some data in which so many people of one side stand against so many of another, nobody else making a
  /// difference; where people are exchanged for others, against nobody. Empty where it is not known (catalogue C8).
  using PairOfCounts = std::function<LossPair(const PeopleCounts& first, const PeopleCounts& second)>;
  [[nodiscard]] const PairOfCounts& attained_by_counts() const { return attained_by_counts_; }
  /// Mechanisms that an assumption allows, known from their inside: what one of them has, some of all have (catalogue C8).
  /// Every stage is applied to them too. Empty unless a class of mechanisms was assumed.
  [[nodiscard]] const std::vector<std::shared_ptr<const Mechanism>>& examples() const { return examples_; }
  /// What it is the worst of; empty if there are no cases. A composition goes through these one by one: the pairs here
  /// hold for all of them at once.
  [[nodiscard]] const std::vector<std::shared_ptr<const Mechanism>>& cases() const { return cases_; }
  /// The level of a mechanism that is exactly Gaussian.
  [[nodiscard]] const std::optional<Gdp>& gaussian() const { return gaussian_; }
  /// A Gaussian level that it is at least as private as.
  [[nodiscard]] const std::optional<Gdp>& gaussian_bound() const { return gaussian_ ? gaussian_ : gaussian_bound_; }
  [[nodiscard]] const std::optional<Zcdp>& concentrated() const { return concentrated_; }
  /// Null unless it is a matrix.
  [[nodiscard]] const std::shared_ptr<const FiniteMechanism>& matrix() const { return matrix_; }
  /// What was there before the last kernels, and these as one; null unless a kernel came last.
  [[nodiscard]] const std::shared_ptr<const Mixed>& mixed() const { return mixed_; }
  /// The same diffusion after some more time; empty unless it is one.
  [[nodiscard]] const std::function<Evaluated(double time)>& evolved() const { return evolved_; }
  /// What a composition is made of; empty for a single release.
  [[nodiscard]] const std::vector<Release>& releases() const { return releases_; }
  /// Whose guarantee this is the worst of; null unless the source is an iterative run.
  [[nodiscard]] const std::shared_ptr<const People>& people() const { return people_; }

  // ---- What no stage undoes

  /// The neighbours that attain it differ from everybody else: a sample without them has a third law.
  [[nodiscard]] bool has_third_law() const { return has_third_law_; }
  /// The pair that such neighbours have when they take part with some probability; empty if it is not known.
  using PairAtRate = std::function<LossPair(const Bracket& rate)>;
  [[nodiscard]] const PairAtRate& attained_at_rate() const { return attained_at_rate_; }
  /// The share of the places of a run at which a record attains what is attained at the worst; 0 if it is not known.
  [[nodiscard]] double worst_places() const { return worst_places_; }
  /// A run with its records in a uniformly random order that stays hidden: what somebody has who is sampled for it. Empty
  /// where that is not known.
  [[nodiscard]] const std::function<Mechanism()>& in_random_order() const { return in_random_order_; }
  /// What a run draws at random and keeps hidden, such as "the order of the records"; empty if nothing.
  [[nodiscard]] const std::string& hidden_choice() const { return hidden_choice_; }

  // ---- Changed

  [[nodiscard]] Mechanism about(Neighbours neighbours) &&;
  /// After a stage: what that one does not undo.
  [[nodiscard]] Mechanism following(const Mechanism& before) &&;
  [[nodiscard]] Mechanism with_groups(GroupRule rule) &&;
  /// The rule for groups is a bound only, if `are_attained` is false.
  [[nodiscard]] Mechanism with_groups_attained(bool are_attained) &&;
  [[nodiscard]] Mechanism with_noise(std::shared_ptr<const ShiftedNoise> noise) &&;
  [[nodiscard]] Mechanism with_counts(PairOfCounts attained_by_counts) &&;
  /// Lower ends are at least those of the example, which is one more.
  [[nodiscard]] Mechanism with_example(const Mechanism& example) &&;
  [[nodiscard]] Mechanism with_single(std::function<Mechanism()> single) &&;
  [[nodiscard]] Mechanism with_gaussian_bound(const std::optional<Gdp>& level) &&;
  [[nodiscard]] Mechanism with_laws(const LossPairs& pairs) &&;
  /// Some neighbours have this pair, or none is known of whom it can be said.
  [[nodiscard]] Mechanism with_attained(std::optional<Attained<LossPair>> pair) &&;
  [[nodiscard]] Mechanism with_kernels(std::shared_ptr<const Mixed> mixed) &&;
  [[nodiscard]] Mechanism with_time(std::function<Evaluated(double time)> evolved) &&;
  [[nodiscard]] Mechanism with_releases(std::vector<Release> releases) &&;
  [[nodiscard]] Mechanism with_people(std::shared_ptr<const People> people) &&;
  [[nodiscard]] Mechanism with_hidden_choice(std::string what) &&;
  [[nodiscard]] Mechanism with_worst_places(double share) &&;
  [[nodiscard]] Mechanism with_random_order(std::function<Mechanism()> in_random_order) &&;
  /// It is attained by neighbours around others who do not move at all.
  [[nodiscard]] Mechanism around_others(PairAtRate attained_at_rate) &&;

  /// Another profile that holds for the same neighbours.
  [[nodiscard]] Mechanism with_profile(const Profile& profile) &&;
  /// The upper ends stay, the lower ends are those of what some neighbours have: nothing is exact any more.
  [[nodiscard]] Mechanism as_bound(const Attained<Profile>& profile, const Attained<RenyiCurve>& renyi) &&;
  /// A part of a sum: whoever reaches it need not reach the others, so that lower ends do not add up. Without
  /// `is_reached`, nobody whom the sum is about need reach this one.
  [[nodiscard]] Mechanism apart(bool is_reached) &&;

 private:
  Mechanism(Profile profile, RenyiCurve renyi, LossPairs pairs, bool has_laws)
      : profile_(std::move(profile)), renyi_(std::move(renyi)), pairs_(std::move(pairs)), has_laws_(has_laws) {}
  [[nodiscard]] Mechanism group_of_singles(double k) const;
  void forget_exactness();
  void forget_laws();

  Neighbours neighbours_;
  Profile profile_;
  RenyiCurve renyi_;
  LossPairs pairs_;
  bool has_laws_;
  std::optional<GroupRule> groups_;
  std::function<Mechanism()> single_;

  std::shared_ptr<const ShiftedNoise> noise_;
  PairOfCounts attained_by_counts_;
  std::vector<std::shared_ptr<const Mechanism>> examples_;
  std::vector<std::shared_ptr<const Mechanism>> cases_;
  std::optional<Gdp> gaussian_;
  std::optional<Gdp> gaussian_bound_;
  std::optional<Zcdp> concentrated_;
  std::shared_ptr<const FiniteMechanism> matrix_;
  std::shared_ptr<const Mixed> mixed_;
  std::function<Evaluated(double time)> evolved_;
  std::vector<Release> releases_;
  std::shared_ptr<const People> people_;

  bool has_third_law_ = false;
  PairAtRate attained_at_rate_;
  double worst_places_ = 0.0;
  std::function<Mechanism()> in_random_order_;
  std::string hidden_choice_;
};

/// A mechanism with the line of the derivation that gave it.
struct Evaluated {
  Mechanism mechanism;
  Step step;
};

/// Nothing is known from below.
[[nodiscard]] Profile nothing_attained();

}  // namespace doeblin::pipeline
