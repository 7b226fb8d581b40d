// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/subsampling/normal_mixture.hpp"
#include "doeblin/subsampling/stages.hpp"
#include "doeblin/subsampling/subsampling.hpp"
#include "subsampling/stages/sampling.hpp"

namespace doeblin::pipeline {
namespace {

// One person is drawn m/n times on average, and every number of times has its own group profile.
constexpr double kMostDraws = 1000.0;

const Assumption kUniformDraws =
    asserted("the draws are uniform and independent, afresh in every release, and stay hidden");

// The mechanism is literally a normal law that k copies of a record move k times as far.
bool is_gaussian(const Mechanism& base) { return base.gaussian() && base.groups_are_attained(); }

Evaluated exact_pair(const Mechanism& base, double n, double m) {
  return {Mechanism::of_pair(with_replacement_pair(base.gaussian()->mu, n, m), unknown_renyi()),
          {.source = "S4, S7",
           .statement = "exact pair: sum_k Bin(k; m, 1/n) N(k mu) against N(0), n the larger size",
           .assumptions = {kUniformDraws, checked("the mechanism is Gaussian")}}};
}

Evaluated rule(const Mechanism& base, double n, double m, const char* source, bool black_box) {
  const auto group_profile = [&](double k) { return base.group(k).profile(); };
  const Profile dominating = sampled_with_replacement(group_profile, n, m);
  const Bracket rate = with_replacement_rate(n, m);
  const bool gaussian = is_gaussian(base) && !black_box;
  // Counting everybody who is drawn several times once can only hide more.
  SampledEnds ends = sampled_ends(base, rate, m);
  if (gaussian) {
    ends.pair = Attained(with_replacement_pair(base.gaussian()->mu, n, m));
    ends.profile = Attained(profile_of(**ends.pair));
  }
  const Attained<Profile> lower = ends.profile ? *ends.profile : Attained(sampled(base.profile(), rate));
  return {Mechanism::of_laws(enclosed(lower, Dominating(dominating)), unknown_renyi(),
                             {.dominating = Dominating(LossPair::symmetric_of(dominating)), .attained = ends.pair}),
          {.source = source,
           .statement = std::string("delta'(eps') = sum_k Bin(k; m, 1/n) delta_k(eps), delta_k for k people; lower: ") +
                        (gaussian       ? "everybody else contributes nothing (S7)"
                         : ends.profile ? "what is attained at this rate"
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
        .apply = [n, m, removes, is_black_box = settings.black_box_sampling](const Mechanism& base) {
          if (removes && is_gaussian(base) && !is_black_box) return exact_pair(base, n, m);
          return rule(base, n, m, removes ? "S4" : "S3", is_black_box);
        }};
  }};
}

Stage with_replacement(double n, double m, Relation relation, const Settings& settings) {
  return made(with_replacement_maker(),
              call_of("with_replacement", {{"n", n}, {"m", m}, {"relation", std::string(name(relation))}}), settings);
}

}  // namespace doeblin::pipeline
