// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline rdp(const RenyiPoint& point) {
  return Pipeline(
      {Mechanism::of_profile(profile_of(point), renyi_of(point)),
       {.stage = call_text("rdp", {{"alpha", point.alpha}, {"epsilon", point.divergence}}),
        .source = "P7, C3",
        .statement = "one Renyi order, converted by the optimal rule; lower: a mechanism that meets it in both "
                     "directions",
        .assumptions = {asserted("the mechanism is (alpha, epsilon)-RDP, in both directions")}}});
}

SourceMaker rdp_maker() {
  return {[](const Call& a, const Settings&) { return rdp({a.number("alpha"), a.number("epsilon")}); }};
}

}  // namespace doeblin::pipeline
