// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker rdp_maker() {
  return {[](const Call& a, const Settings&) {
    const RenyiPoint point{a.number("alpha"), a.number("epsilon")};
    return Evaluated{
        Mechanism::of_profile(profile_of(point), renyi_of(point)),
        {.source = "P7, C3",
         .statement = "one Renyi order, converted by the optimal rule; lower: a mechanism that meets it in both "
                      "directions",
         .assumptions = {asserted("the mechanism is (alpha, epsilon)-RDP, in both directions")}}};
  }};
}

Pipeline rdp(const RenyiPoint& point) {
  return made(rdp_maker(), call_of("rdp", {{"alpha", point.alpha}, {"epsilon", point.divergence}}));
}

}  // namespace doeblin::pipeline
