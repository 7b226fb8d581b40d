// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Pipeline black_box(const BlackBox& mechanism) {
  mechanism.validate();
  const Profile profile = profile_of(mechanism);
  return Pipeline(
      {{.profile = profile, .renyi = renyi_of(mechanism), .pairs = LossPairs::exact(LossPair::symmetric_of(profile))},
       {.stage = call_text("black_box", {{"epsilon", mechanism.epsilon}, {"delta", mechanism.delta}}),
        .source = "P4",
        .statement = "the worst profile that an (epsilon, delta)-DP mechanism can have",
        .assumptions = {asserted("the mechanism is (epsilon, delta)-DP")}}});
}

Definition black_box_definition() {
  return {.name = "black_box",
          .summary = "any (epsilon, delta)-DP mechanism",
          .example = "black_box(epsilon=1, delta=1e-6)",
          .parameters = {{.name = "epsilon", .meaning = "its epsilon", .monotone = kLoss},
                         {.name = "delta",
                          .meaning = "its delta",
                          .standard = 0.0,
                          .monotone = Monotone{.larger_is_safer = false, .low = 0.0, .high = 1.0}}},
          .make = [](const Arguments& a) {
            return black_box({a.number("epsilon"), a.number("delta")});
          }};
}

}  // namespace doeblin::pipeline
