// SPDX-License-Identifier: Apache-2.0
#include <optional>

#include "doeblin/mechanism/maker.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/group.hpp"
#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/mixed_renyi.hpp"
#include "doeblin/subsampling/noise_mixture.hpp"
#include "doeblin/subsampling/stages.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "subsampling/stages/sampling.hpp"

namespace doeblin::pipeline {
namespace {

const Assumption kUniformSubset =
    asserted("the subset is uniformly random, drawn afresh in every release, and stays hidden");

struct Sample {
  double all;
  double drawn;
  Bracket rate;
};

Mechanism sampled_mechanism(const Mechanism& base, const Sample& sample, bool is_exact) {
  const Profile dominating = sampled(base.profile(), sample.rate);
  const SampledEnds ends = sampled_ends(base, sample.rate, sample.drawn);
  const Profile profile = ends.profile ? enclosed(*ends.profile, Dominating(dominating)) : dominating;
  const RenyiCurve mixed =
      mixed_renyi([&](double) { return base.renyi(); }, {{1.0 - sample.rate, sample.rate}, 0.0, sample.rate});
  if (!is_exact)
    return Mechanism::of_dominating(profile, mixed, universal_pair(sampled(base.dominating_profile(), sample.rate)));
  LossPairs pairs = sampled_without_replacement(base.pairs(), sample.rate);
  pairs.attained = ends.pair;
  const RenyiCurve attained = ends.pair ? forward_renyi_from_pair(**ends.pair) : unknown_renyi();
  return Mechanism::of_laws(
      profile, enclosed(Attained(attained), Dominating(tightened(renyi_from_profile(dominating), mixed))), pairs);
}

GroupRule groups_of(const Mechanism& base, const Mechanism& one, const Sample& sample) {
  return {[=](double k) {
            if (!(k <= std::min(sample.all, kMostSampledPeople)))
              return Mechanism::of_profile(black_box_group(one.profile(), k), unknown_renyi());
            SampledGroup group{hypergeometric_weights(sample.all, sample.drawn, k, 0.0)};
            // Everybody else contributes nothing, and stays the majority of every sample.
            const bool is_reached = base.noise() && base.groups_are_attained() && one.pairs().attained &&
                                    !base.has_third_law() && k + sample.drawn <= sample.all;
            if (is_reached)
              group.attained = Attained(mixture_pair(base.noise(), shifts_of(group.counts), NoiseMixture::still()));
            else
              group.attained = attained_by(one.attained_by_counts(), k);
            return sampled_group(base, one, group, k);
          },
          "k people exchanged: sum_j Hyp(j; n, m, k) delta_j(eps_j), delta_j for j people, the best levels", true,
          "S10"};
}

Evaluated sampled_evaluated(const Mechanism& base, const Sample& sample, bool black_box) {
  const bool exact = base.has_laws() && !black_box;
  Mechanism result = sampled_mechanism(base, sample, exact);
  if (base.attained_at_rate())
    result = std::move(result).around_others(
        [before = base.attained_at_rate(), rate = sample.rate](const Bracket& more) { return before(rate * more); });
  result = std::move(result).with_counts(sampled_by_counts(base.attained_by_counts(), [sample](double people) {
    return hypergeometric_weights(sample.all, sample.drawn, std::min(people, sample.all), 0.0);
  }));
  if (exact && !result.pairs().attained) {
    const std::optional<Attained<LossPair>> counted = attained_by(result.attained_by_counts(), 1.0);
    result = std::move(result).with_attained(counted);
  }
  GroupRule groups = groups_of(base, result, sample);
  result = std::move(result).with_groups(std::move(groups));
  return {std::move(result),
          {.source = exact ? "S2, S7" : "S2",
           .statement = exact ? "exact: q D_{1+(g-1)/q}(P||Q) in both directions, q = m/n; composed from that profile"
                              : "black box: delta'(eps') = q delta(eps), e^{eps'} - 1 = q (e^eps - 1), q = m/n; lower: "
                                "randomised membership (S6)",
           .assumptions = {kUniformSubset, checked("holds for every mechanism with this profile")}}};
}

}  // namespace

StageMaker without_replacement_maker() {
  return {[](const Call& a, const Settings& settings) {
    const double n = a.number("n");
    const double m = a.number("m");
    require_sample(n, m);
    require(m <= n, "m", m, "m <= n");
    const Sample sample{n, m, enclose(numerics::ratio(m, n))};
    return Stage{.about = neighbours_after({.call = a,
                                            .needed_relation = Relation::kSubstitute,
                                            .drawn = m,
                                            .relation = Relation::kSubstitute,
                                            .size = n}),
                 .apply =
                     [sample, is_black_box = settings.black_box_sampling](const Mechanism& base) {
                       // Whoever is drawn comes to any place.
                       const auto& in_random_order = base.in_random_order();
                       Evaluated sampled =
                           sampled_evaluated(in_random_order ? in_random_order() : base, sample, is_black_box);
                       if (in_random_order) sampled.step.source += ", I22";
                       return in_random_places(std::move(sampled), base);
                     },
                 .is_for_each_person = true};
  }};
}

Stage without_replacement(double n, double m, const Settings& settings) {
  return made(without_replacement_maker(), call_of("without_replacement", {{"n", n}, {"m", m}}), settings);
}

}  // namespace doeblin::pipeline
