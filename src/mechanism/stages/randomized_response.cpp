// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker randomized_response_maker() {
  return {[](const Call& a, const Settings&) {
    const RandomizedResponse mechanism{a.number("p")};
    mechanism.validate();
    return Evaluated{Mechanism::of_pair(LossPair::symmetric_of(profile_of(mechanism)), renyi_of(mechanism)),
                     {.source = "P3",
                      .statement = "delta = [p - e^eps (1 - p)]_+ for p >= 1/2",
                      .assumptions = {asserted("each person reports one bit, truthfully with probability p")}}};
  }};
}

Pipeline randomized_response(double p) {
  return made(randomized_response_maker(), call_of("randomized_response", {{"p", p}}));
}

}  // namespace doeblin::pipeline
