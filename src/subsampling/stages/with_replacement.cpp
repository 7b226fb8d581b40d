// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/profile/group.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/best_levels.hpp"
#include "doeblin/subsampling/exchange.hpp"
#include "doeblin/subsampling/mixed_renyi.hpp"
#include "doeblin/subsampling/noise_mixture.hpp"
#include "doeblin/subsampling/stages.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "subsampling/stages/sampling.hpp"

namespace doeblin::pipeline {
namespace {

// One person is drawn m/n times on average, and every number of times has its own group profile.
constexpr double kMostDraws = 1000.0;

const Assumption kUniformDraws =
    asserted("the draws are uniform and independent, afresh in every release, and stay hidden");

// Every number of draws has its own Renyi curve, and none may be left out.
constexpr double kMostCountedDraws = 4096.0;

// What is left out of the counts of draws.
constexpr double kLeastCount = 1e-300;

// The mechanism literally adds noise that k copies of a record move k times as far.
bool adds_noise(const Mechanism& base) { return base.noise() && base.groups_are_attained(); }

// Whoever is drawn j times is j people apart.
RenyiCurve drawn_renyi(const Mechanism& base, double n, double m, double k, bool is_removed) {
  if (m > kMostCountedDraws) return unknown_renyi();
  const auto apart = [&](double j) { return base.group(j).renyi(); };
  const CountWeights counts = binomial_weights(k / Bracket(n), m, 0.0);
  return is_removed ? removed_renyi(apart, counts) : mixed_renyi(apart, counts);
}

// No divergence is above the largest loss.
RenyiCurve split_renyi(const LossPair& pair) {
  const double bound = profile_of(pair).traits().loss_bound;
  if (std::isinf(bound)) return renyi_from_pair(pair);
  return RenyiCurve([bound](Alpha) { return Bracket(0.0, bound); },
                    {.tight = false, .single_pair = false, .is_of_profile = true});
}

// The narrower of two enclosures of one curve.
RenyiCurve both(const RenyiCurve& first, const RenyiCurve& second) {
  const auto narrower = [=](Alpha alpha) {
    const Bracket a = first.at(alpha), b = second.at(alpha);
    return Bracket(std::max(a.lower(), b.lower()), std::min(a.upper(), b.upper()));
  };
  return RenyiCurve(narrower, first.traits());
}

// Removing k people from n, or k - j and putting j others in, n the larger size: of the n - (k - j) records that both
// have, m draws are the origin from which every draw of the others moves one step (N1).
Mechanism removal_pairs(const Mechanism& base, double n, double m, double k) {
  std::vector<Mechanism> splits;
  for (double j = 0.0; j <= k / 2.0; ++j) {
    const Bracket removed = (k - j) / Bracket(n);
    const Bracket added = j / Bracket(n - (k - j) + j);
    const LossPair pair = mixture_pair(base.noise(), NoiseMixture::binomial(m, removed),
                                       j > 0.0 ? NoiseMixture::binomial(m, added) : NoiseMixture::still());
    // Those on the two sides are twice as far from each other as one may move: no bound is reached by both.
    const RenyiCurve drawn = drawn_renyi(base, n, m, k, true);
    splits.push_back(j == 0.0 ? Mechanism::of_pair(pair, k == 1.0 ? both(renyi_from_pair(pair), drawn) : drawn)
                              : bounded_by(Dominating(pair), Dominating(split_renyi(pair)), Mechanism::perfect()));
  }
  return Mechanism::worst_of(splits);
}

Evaluated exact_pair(const Mechanism& base, double n, double m) {
  const Mechanism one = removal_pairs(base, n, m, 1.0);
  const GroupRule groups{[=](double k) {
                           return k < std::min(n, kMostSampledPeople)
                                      ? removal_pairs(base, n, m, k)
                                      : Mechanism::of_profile(black_box_group(one.profile(), k), unknown_renyi());
                         },
                         "k people removed, or some of them put in: Bin(m, k/n) draws, for every split (N1)", true,
                         "S10, N1"};
  return {Mechanism(one).with_groups(groups),
          {.source = "S4, S7",
           .statement = base.gaussian() ? "exact pair: sum_k Bin(k; m, 1/n) N(k mu) against N(0), n the larger size"
                                        : "exact pair: sum_k Bin(k; m, 1/n) K(k) against K(0), n the larger size",
           .assumptions = {kUniformDraws, checked("the mechanism adds the same noise to every value")}}};
}

// Whoever is drawn j times counts as j people.
Mechanism::PairOfCounts drawn_by_counts(const Mechanism& base, double n, double m) {
  return sampled_by_counts(base.attained_by_counts(), [n, m](double people) {
    return binomial_weights(std::min(people, n) / Bracket(n), m, kLeastCount);
  });
}

// k people among n; for k = 1 the rule of S3.
Mechanism drawn(const Mechanism& base, double n, double m, double k, bool black_box) {
  const CountWeights counts = binomial_weights(k / Bracket(n), m, kLeastCount);
  const Profile dominating = base.noise() && !black_box
                                 ? exchanged_counts(base.noise(), shifts_of(counts))
                                 : best_counts([base](double j) { return base.group(j).dominating_profile(); }, counts);
  // Counting everybody who is drawn several times once can only hide more.
  SampledEnds ends = sampled_ends(base, counts.some, m);
  const Mechanism::PairOfCounts counted = drawn_by_counts(base, n, m);
  if (adds_noise(base) && !black_box) {
    ends.pair = Attained(mixture_pair(base.noise(), shifts_of(counts), NoiseMixture::still()));
    ends.profile = Attained(profile_of(**ends.pair));
  } else {
    // What one of them has, they have.
    if (k > 1.0) ends = {.profile = Attained(drawn(base, n, m, 1.0, black_box).profile())};
    // Where people are removed, somebody is left.
    if (counted) ends.pair = attained_by(counted, std::max(1.0, std::min(k, n - 1.0)));
  }
  const Attained<Profile> lower = ends.profile ? *ends.profile : Attained(sampled(base.profile(), counts.some));
  const RenyiCurve reached = k > 1.0     ? drawn(base, n, m, 1.0, black_box).renyi()
                             : ends.pair ? forward_renyi_from_pair(**ends.pair)
                                         : unknown_renyi();
  const Profile profile = enclosed(lower, Dominating(dominating));
  return Mechanism::of_laws(counted && ends.pair ? raised(profile, profile_of(**ends.pair)) : profile,
                            enclosed(Attained(reached), Dominating(drawn_renyi(base, n, m, k, false))),
                            {.dominating = universal_pair(dominating), .attained = ends.pair})
      .with_counts(counted);
}

Evaluated rule(const Mechanism& base, double n, double m, const char* source, bool black_box) {
  const Mechanism one = drawn(base, n, m, 1.0, black_box);
  const GroupRule groups{[=](double k) {
                           return k <= std::min(n, kMostSampledPeople)
                                      ? drawn(base, n, m, k, black_box)
                                      : Mechanism::of_profile(black_box_group(one.profile(), k), unknown_renyi());
                         },
                         "k people: sum_j Bin(j; m, k/n) delta_j(eps_j), delta_j for j people, the best levels", true,
                         "S10"};
  const bool is_known = adds_noise(base) && !black_box;
  const std::string bound =
      "delta'(eps') = sum_k Bin(k; m, 1/n) delta_k(eps_k), delta_k for k people, the best levels; lower: ";
  return {Mechanism(one).with_groups(groups),
          {.source = source,
           .statement = bound + (is_known                    ? "everybody else contributes nothing (S7)"
                                 : base.attained_by_counts() ? "a count of the draws (C8)"
                                 : sampled_ends(base, Bracket(1.0), m).profile ? "what is attained at this rate"
                                                                               : "randomised membership (S6)"),
           .assumptions = {kUniformDraws, checked("holds for every mechanism with these group profiles")}}};
}

}  // namespace

StageMaker with_replacement_maker() {
  return {[](const Call& a, const Settings& settings) {
    const double n = a.number("n");
    const double m = a.number("m");
    const Relation relation = sampling_relation(a.text("relation"));
    require_sample(n, m);
    if (!(m / n <= kMostDraws)) throw InvalidArgument("m", m, "m <= 1000 n");
    const bool removes = relation == Relation::kAddRemove;
    require(!removes || n >= 2.0, "n", n, "n >= 2 when one person is removed");
    return Stage{
        .about = neighbours_after(
            {.call = a, .needed_relation = Relation::kSubstitute, .drawn = m, .relation = relation, .size = n}),
        .apply =
            [n, m, removes, is_black_box = settings.black_box_sampling](const Mechanism& base) {
              if (removes && adds_noise(base) && !is_black_box) return exact_pair(base, n, m);
              return in_random_places(rule(base, n, m, removes ? "S4" : "S3", is_black_box), base);
            },
        .is_for_each_person = true};
  }};
}

Stage with_replacement(double n, double m, Relation relation, const Settings& settings) {
  return made(with_replacement_maker(),
              call_of("with_replacement", {{"n", n}, {"m", m}, {"relation", std::string(name(relation))}}), settings);
}

}  // namespace doeblin::pipeline
