// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker black_box_maker() {
  return {[](const Call& a, const Settings&) {
    const BlackBox mechanism{a.number("epsilon"), a.number("delta")};
    mechanism.validate();
    return Evaluated{Mechanism::of_pair(LossPair::symmetric_of(profile_of(mechanism)), renyi_of(mechanism)),
                     {.source = "P4",
                      .statement = "the worst profile that an (epsilon, delta)-DP mechanism can have",
                      .assumptions = {asserted("the mechanism is (epsilon, delta)-DP")}}};
  }};
}

Pipeline black_box(const BlackBox& mechanism) {
  return made(black_box_maker(), call_of("black_box", {{"epsilon", mechanism.epsilon}, {"delta", mechanism.delta}}));
}

}  // namespace doeblin::pipeline
