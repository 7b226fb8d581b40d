// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"
#include "doeblin/profile/group.hpp"

namespace doeblin::pipeline {
namespace {

// Of several people no more is assumed than of one: the bound is that of a black box. What they have is at least what a bit
// for each of them has.
Mechanism reports(const RandomizedResponse& mechanism) {
  const Mechanism one = Mechanism::of_pair(LossPair::symmetric_of(profile_of(mechanism)), renyi_of(mechanism));
  const auto group = [=](double k) {
    const Attained<LossPair> pair(pair_of_reports(mechanism, k));
    const RenyiCurve all_orders([one, k](Alpha alpha) { return one.renyi().at(alpha) * k; });
    return Mechanism::of_profile(
               enclosed(Attained(profile_of(*pair)), Dominating(black_box_group(one.profile(), k))),
               enclosed(Attained(all_orders), Dominating(black_box_group_renyi(one.profile(), one.renyi(), k))))
        .with_attained(pair);
  };
  const auto counted = [mechanism](const PeopleCounts& first, const PeopleCounts& second) {
    return pair_of_counts(bit_walk(mechanism, first, second), first, second);
  };
  return Mechanism(one)
      .with_groups(
          {group, "black box: delta_k(eps) <= (e^eps - 1)/(e^{eps/k} - 1) delta(eps/k); lower: a bit for each of them",
           true, "C4, C8"})
      .with_counts(counted);
}

}  // namespace

SourceMaker randomized_response_maker() {
  return {[](const Call& a, const Settings&) {
    const RandomizedResponse mechanism{a.number("p")};
    mechanism.validate();
    return Evaluated{reports(mechanism),
                     {.source = "P3",
                      .statement = "delta = [p - e^eps (1 - p)]_+ for p >= 1/2",
                      .assumptions = {asserted("each person reports one bit, truthfully with probability p")}}};
  }};
}

Pipeline randomized_response(double p) {
  return made(randomized_response_maker(), call_of("randomized_response", {{"p", p}}));
}

}  // namespace doeblin::pipeline
