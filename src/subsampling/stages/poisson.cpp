// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/normal_mixture.hpp"
#include "doeblin/subsampling/stages.hpp"
#include "doeblin/subsampling/subsampled_renyi.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "subsampling/stages/sampling.hpp"

namespace doeblin::pipeline {
namespace {

const Assumption kIndependent =
    asserted("each person is sampled independently, afresh in every release, and the sample stays hidden");

RenyiCurve sampled_renyi(const Mechanism& base, const Bracket& q, const LossPairs& pairs) {
  const bool one_pair = pairs.is_exact && base.pairs().dominating->symmetric && base.renyi().traits().single_pair;
  if (one_pair) return poisson_renyi(base.renyi(), q, *pairs.dominating);
  const RenyiCurve attained = pairs.attained ? forward_renyi_from_pair(**pairs.attained) : unknown_renyi();
  return enclosed(Attained(attained), Dominating(renyi_from_pair(*pairs.dominating)));
}

Evaluated exact_pair(const Mechanism& base, double rate) {
  const Bracket q(rate);
  const LossPairs pairs = poisson_sampled(base.pairs(), q);
  // For a symmetric pair "remove" is the worse direction at every eps >= 0 (S1).
  const Profile dominating =
      base.pairs().dominating->symmetric ? pairs.dominating->forward : profile_of(*pairs.dominating);
  return {Mechanism::of_laws(dominating, sampled_renyi(base, q, pairs), pairs),
          {.source = "S7",
           .statement = "exact pair: (1-q) Q + q P against Q, and the reverse; remove is q D_{1+(g-1)/q}(P||Q)",
           .assumptions = {kIndependent, checked("the pair of the mechanism is known, in both directions")}}};
}

Evaluated black_box_rule(const Mechanism& base, double rate) {
  return {
      Mechanism::of_profile(sampled(base.profile(), Bracket(rate)), unknown_renyi()),
      {.source = "S1",
       .statement =
           "black box: delta'(eps') = q delta(eps), e^{eps'} - 1 = q (e^eps - 1); lower: randomised membership (S6)",
       .assumptions = {kIndependent, checked("holds for every mechanism with this profile")}}};
}

Evaluated substitution_pair(const Mechanism& base, double rate) {
  if (!base.gaussian())
    throw InvalidArgument(
        "relation", "'substitute'",
        "'add_remove', or a Gaussian mechanism before this stage: there is no rule for other mechanisms (S5)");
  const Gdp level = *base.gaussian();
  if (rate == 1.0) {
    // Everybody takes part: N(mu) against N(-mu), which is two people's worth.
    return {Mechanism::of(doeblin::group(level, 2.0)),
            {.source = "S5, P1",
             .statement = "everybody takes part: N(mu) against N(-mu), exactly 2 mu-GDP",
             .assumptions = {kIndependent, asserted("the sensitivity is for adding or removing one person")}}};
  }
  // The two that are exchanged move the value to either side of everybody else, who do not move it at all. Whoever takes
  // part with probability p more leaves (1 - pq) N(0) + pq N(+-mu), which grows with p.
  const auto at_rate = [level, rate](const Bracket& more) {
    return poisson_substitution_pair(level.mu, rounding::mul_down(rate, more.lower()));
  };
  const LossPair pair = poisson_substitution_pair(level.mu, rate);
  return {Mechanism::of_laws(pair.forward, renyi_from_pair(pair), LossPairs::exact(pair)).around_others(at_rate),
          {.source = "S5, S7",
           .statement = "exact pair: (1-q) N(0) + q N(mu) against (1-q) N(0) + q N(-mu)",
           .assumptions = {kIndependent, asserted("the sensitivity is for adding or removing one person")}}};
}

}  // namespace

StageMaker poisson_maker() {
  return {[](const Call& a, const Settings& settings) {
    const double rate = a.number("rate");
    const Relation relation = sampling_relation(a.text("relation"));
    require(rate > 0.0 && rate <= 1.0, "rate", rate, "0 < rate <= 1");
    return Stage{.about = neighbours_after({.call = a, .needed_relation = Relation::kAddRemove, .relation = relation}),
                 .apply = [rate, relation, is_black_box = settings.black_box_sampling](const Mechanism& base) {
                   if (relation == Relation::kSubstitute) return substitution_pair(base, rate);
                   return base.has_laws() && !is_black_box ? exact_pair(base, rate) : black_box_rule(base, rate);
                 }};
  }};
}

Stage poisson(double rate, Relation relation, const Settings& settings) {
  return made(poisson_maker(), call_of("poisson", {{"rate", rate}, {"relation", std::string(name(relation))}}),
              settings);
}

}  // namespace doeblin::pipeline
