// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Pipeline randomized_response(double p) {
  const RandomizedResponse mechanism{p};
  mechanism.validate();
  const Profile profile = profile_of(mechanism);
  return Pipeline(
      {{.profile = profile, .renyi = renyi_of(mechanism), .pairs = LossPairs::exact(LossPair::symmetric_of(profile))},
       {.stage = call_text("randomized_response", {{"p", p}}),
        .source = "P3",
        .statement = "delta = [p - e^eps (1 - p)]_+ for p >= 1/2",
        .assumptions = {asserted("each person reports one bit, truthfully with probability p")}}});
}

Definition randomized_response_definition() {
  return {.name = "randomized_response",
          .summary = "report a bit truthfully with probability p",
          .example = "randomized_response(p=0.75)",
          .parameters = {{.name = "p",
                          .meaning = "probability of the true answer",
                          .monotone = Monotone{.larger_is_safer = false, .low = 0.5, .high = 1.0}}},
          .make = [](const Arguments& a) { return randomized_response(a.number("p")); }};
}

}  // namespace doeblin::pipeline
