// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline randomized_response(double p) {
  const RandomizedResponse mechanism{p};
  mechanism.validate();
  return Pipeline({Mechanism::of_pair(LossPair::symmetric_of(profile_of(mechanism)), renyi_of(mechanism)),
                   {.stage = call_text("randomized_response", {{"p", p}}),
                    .source = "P3",
                    .statement = "delta = [p - e^eps (1 - p)]_+ for p >= 1/2",
                    .assumptions = {asserted("each person reports one bit, truthfully with probability p")}}});
}

SourceMaker randomized_response_maker() {
  return {[](const Call& a, const Settings&) { return randomized_response(a.number("p")); }};
}

}  // namespace doeblin::pipeline
