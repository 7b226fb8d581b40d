// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline black_box(const BlackBox& mechanism) {
  mechanism.validate();
  return Pipeline({Mechanism::of_pair(LossPair::symmetric_of(profile_of(mechanism)), renyi_of(mechanism)),
                   {.stage = call_text("black_box", {{"epsilon", mechanism.epsilon}, {"delta", mechanism.delta}}),
                    .source = "P4",
                    .statement = "the worst profile that an (epsilon, delta)-DP mechanism can have",
                    .assumptions = {asserted("the mechanism is (epsilon, delta)-DP")}}});
}

SourceMaker black_box_maker() {
  return {[](const Call& a, const Settings&) { return black_box({a.number("epsilon"), a.number("delta")}); }};
}

}  // namespace doeblin::pipeline
