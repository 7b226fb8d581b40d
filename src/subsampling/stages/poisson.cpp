// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/profile/group.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/best_levels.hpp"
#include "doeblin/subsampling/mixed_renyi.hpp"
#include "doeblin/subsampling/noise_mixture.hpp"
#include "doeblin/subsampling/stages.hpp"
#include "doeblin/subsampling/subsampled_renyi.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "subsampling/stages/sampling.hpp"

namespace doeblin::pipeline {
namespace {

// A pair for every split.
constexpr double kMostSplitPeople = 64.0;

const Assumption kIndependent =
    asserted("each person is sampled independently, afresh in every release, and the sample stays hidden");

Taken with_coins(const Bracket& rate) {
  return [rate](double people) { return binomial_weights(rate, people, 0.0); };
}

RenyiCurve sampled_renyi(const Mechanism& base, const Bracket& q, const LossPairs& pairs) {
  const bool one_pair = pairs.is_exact && base.pairs().dominating->symmetric && base.renyi().traits().single_pair;
  if (one_pair) return poisson_renyi(base.renyi(), q, *pairs.dominating);
  const RenyiCurve attained = pairs.attained ? forward_renyi_from_pair(**pairs.attained) : unknown_renyi();
  return enclosed(Attained(attained),
                  Dominating(tightened(renyi_from_pair(*pairs.dominating), poisson_renyi_bound(base.renyi(), q))));
}

// As many people differ in the sample as take part in it, `each` for every one of the k.
RenyiCurve coin_renyi(const Mechanism& base, const Bracket& q, double k, double each) {
  return mixed_renyi([&](double j) { return base.group(each * j).renyi(); }, binomial_weights(q, k, 0.0));
}

// k people with a coin each, of whom k - j are in the first data and j in the second (S10): the common test lemma (N1)
// gives a pair for every such split, both orders of which are the directions of that pair.
Mechanism split_pairs(const Mechanism& base, const Mechanism& one, const Bracket& q, double k) {
  std::vector<Mechanism> splits;
  for (double j = 0.0; j <= k / 2.0; ++j) {
    const LossPair pair = mixture_pair(base.noise(), NoiseMixture::binomial(k - j, q), NoiseMixture::binomial(j, q));
    // Reached where the people of the one side move the value up, and those of the other down; else by one of them, if
    // nobody else moves it.
    const RenyiCurve renyi = tightened(renyi_from_pair(pair), coin_renyi(base, q, k, 1.0));
    splits.push_back(base.groups_are_attained() ? Mechanism::of_pair(pair, renyi)
                                                : bounded_by(Dominating(pair), Dominating(renyi), one));
  }
  return Mechanism::worst_of(splits);
}

GroupRule sampled_groups(const Mechanism& base, const Mechanism& one, double rate) {
  const Bracket q(rate);
  const bool has_noise = base.noise() != nullptr;
  return {[=](double k) {
            if (has_noise && k <= kMostSplitPeople) return split_pairs(base, one, q, k);
            if (k > kMostSampledPeople)
              return Mechanism::of_profile(black_box_group(one.profile(), k), unknown_renyi());
            return sampled_group(base, one, {binomial_weights(q, k, 0.0), attained_by(one.attained_by_counts(), k)}, k);
          },
          has_noise
              ? "k people with a coin each: mixtures of shifts by as many as take part, for every split of them "
                "between the two sides (N1)"
              : "k people with a coin each: sum_j Bin(j; k, q) delta_j(eps_j), delta_j for j people, the best levels",
          true, has_noise ? "S10, N1" : "S10"};
}

Evaluated exact_pair(const Mechanism& base, double rate) {
  const Bracket q(rate);
  const Mechanism::PairOfCounts counts = sampled_by_counts(base.attained_by_counts(), with_coins(q));
  LossPairs pairs = poisson_sampled(base.pairs(), q);
  if (!pairs.attained) pairs.attained = attained_by(counts, 1.0);
  // For a symmetric pair "remove" is the worse direction at every eps >= 0 (S1).
  const Profile dominating =
      base.pairs().dominating->symmetric ? pairs.dominating->forward : profile_of(*pairs.dominating);
  const Mechanism one = Mechanism::of_laws(dominating, sampled_renyi(base, q, pairs), pairs).with_counts(counts);
  return {Mechanism(one).with_groups(sampled_groups(base, one, rate)),
          {.source = "S7",
           .statement = "exact pair: (1-q) Q + q P against Q, and the reverse; remove is q D_{1+(g-1)/q}(P||Q)",
           .assumptions = {kIndependent, checked("the pair of the mechanism is known, in both directions")}}};
}

Evaluated black_box_rule(const Mechanism& base, double rate) {
  // The profile, as a pair, is sampled like any other (C7): adding and removing differ from here on.
  const Dominating<LossPair> pair = base.has_laws() ? universal_pair(base.profile()) : base.pairs().dominating;
  const Mechanism one =
      Mechanism::of_dominating(sampled(base.profile(), Bracket(rate)), poisson_renyi_bound(base.renyi(), Bracket(rate)),
                               Dominating(poisson_sampled(*pair, Bracket(rate))));
  return {
      Mechanism(one).with_groups(sampled_groups(Mechanism(base).with_noise(nullptr), one, rate)),
      {.source = "S1",
       .statement =
           "black box: delta'(eps') = q delta(eps), e^{eps'} - 1 = q (e^eps - 1); lower: randomised membership (S6)",
       .assumptions = {kIndependent, checked("holds for every mechanism with this profile")}}};
}

const Assumption kOneSided = asserted("the sensitivity is for adding or removing one person");

Mechanism substituted(const Mechanism& base, double rate, double people) {
  const SharedNoise& noise = base.noise();
  const LossPair pair = poisson_substitution_pair(noise, Bracket(rate), people);
  const RenyiCurve renyi = tightened(renyi_from_pair(pair), coin_renyi(base, Bracket(rate), people, 2.0));
  // Exchanging somebody for a record that changes nothing is removing them.
  if (!base.groups_are_attained())
    return bounded_by(Dominating(pair), Dominating(renyi), exact_pair(base, rate).mechanism).around_others(nullptr);
  // The two that are exchanged move the value to either side of everybody else, who do not move it at all. Whoever takes
  // part with probability p more leaves (1 - pq) K(0) + pq K(+-1), which grows with p.
  const auto at_rate = [noise, rate, people](const Bracket& more) {
    return poisson_substitution_pair(noise, Bracket(rounding::mul_down(rate, more.lower())), people);
  };
  return Mechanism::of_laws(pair.forward, renyi, LossPairs::exact(pair)).around_others(at_rate);
}

Evaluated substitution_pair(const Mechanism& base, double rate) {
  if (rate == 1.0 && base.gaussian()) {
    // Everybody takes part: N(mu) against N(-mu), which is two people's worth.
    return {Mechanism::of(doeblin::group(*base.gaussian(), 2.0)),
            {.source = "S5, P1",
             .statement = "everybody takes part: N(mu) against N(-mu), exactly 2 mu-GDP",
             .assumptions = {kIndependent, kOneSided}}};
  }
  const GroupRule groups{[base, rate](double k) { return substituted(base, rate, k); },
                         "k people with a coin each on both sides: mixtures of shifts by as many as take part (N1)",
                         true, "S10, N1"};
  return {
      substituted(base, rate, 1.0).with_groups(groups),
      {.source = base.gaussian() ? "S5, S7" : "S11, N1",
       .statement = base.gaussian() ? "exact pair: (1-q) N(0) + q N(mu) against (1-q) N(0) + q N(-mu)"
                                    : "exact pair: (1-q) K(0) + q K(1) against (1-q) K(0) + q K(-1), K(m) the noise "
                                      "around m people's shift",
       .assumptions = {kIndependent, kOneSided}}};
}

// Nothing but profiles of groups is known (S11).
Mechanism exchanged(const Mechanism& base, double rate, double people) {
  const CountWeights coins = binomial_weights(Bracket(rate), people, 0.0);
  const auto people_profile = [base](double j) { return base.group(j).dominating_profile(); };
  const Profile apart = sampled_exchanges(people_profile, coins);
  const Profile away = best_exchanges(people_profile, coins);
  const Profile dominating = apart.traits().costly ? away : tightened(away, apart);
  // Exchanging somebody for a record that changes nothing is removing them.
  const Profile removed = sampled(base.profile(), Bracket(rate));
  const RenyiCurve renyi = coin_renyi(base, Bracket(rate), people, 2.0);
  const Mechanism::PairOfCounts& counts = base.attained_by_counts();
  const Profile profile = enclosed(Attained(removed), Dominating(dominating));
  // Nobody who composes it asks for lower ends, which may be slow.
  const Dominating<LossPair> dominated = universal_pair(dominating);
  if (!counts) return Mechanism::of_dominating(profile, renyi, dominated);
  // Those who come and those who go are away from everybody else.
  const auto at_rate = [=](const Bracket& more) {
    return **attained_by(sampled_by_counts(counts, with_coins(Bracket(rate) * more)), people, people);
  };
  const Attained<LossPair> pair(at_rate(Bracket(1.0)));
  return Mechanism::of_dominating(raised(profile, profile_of(*pair)), renyi, dominated)
      .with_attained(pair)
      .around_others(at_rate);
}

Evaluated substitution_rule(const Mechanism& base, double rate) {
  const Mechanism one = exchanged(base, rate, 1.0);
  const GroupRule groups{[=](double k) {
                           return k <= kMostSampledPeople
                                      ? exchanged(base, rate, k)
                                      : Mechanism::of_profile(black_box_group(one.profile(), k), unknown_renyi());
                         },
                         "k people with a coin each: sum_j Bin(j; k, q) ((1 - b) delta_j + b delta_2j), delta_j for j "
                         "people",
                         true, "S10, S11"};
  return {Mechanism(one).with_groups(groups),
          {.source = "S11",
           .statement = "the better of: q (D_a + e^{eps'} b D_{1/b}), both away from everybody else, the best a and b; "
                        "q ((1 - b) delta(eps) + b delta_2(eps)), delta_2 for two people, e^{eps'} - 1 = q (e^eps - "
                        "1), b = e^{eps' - eps}; lower: one person removed",
           .assumptions = {kIndependent, kOneSided, checked("holds for every mechanism with these profiles")}}};
}

}  // namespace

StageMaker poisson_maker() {
  return {[](const Call& a, const Settings& settings) {
    const double rate = a.number("rate");
    const Relation relation = sampling_relation(a.text("relation"));
    require(rate > 0.0 && rate <= 1.0, "rate", rate, "0 < rate <= 1");
    return Stage{.about = neighbours_after({.call = a, .needed_relation = Relation::kAddRemove, .relation = relation}),
                 .apply =
                     [rate, relation, is_black_box = settings.black_box_sampling](const Mechanism& base) {
                       if (relation == Relation::kSubstitute)
                         return base.noise() && !is_black_box ? substitution_pair(base, rate)
                                                              : substitution_rule(base, rate);
                       return base.has_laws() && !is_black_box ? exact_pair(base, rate) : black_box_rule(base, rate);
                     },
                 .is_for_each_person = true};
  }};
}

Stage poisson(double rate, Relation relation, const Settings& settings) {
  return made(poisson_maker(), call_of("poisson", {{"rate", rate}, {"relation", std::string(name(relation))}}),
              settings);
}

}  // namespace doeblin::pipeline
