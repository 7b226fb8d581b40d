// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Pipeline rdp(const RenyiPoint& point) {
  return Pipeline(
      {{.profile = profile_of(point), .renyi = renyi_of(point)},
       {.stage = call_text("rdp", {{"alpha", point.alpha}, {"epsilon", point.divergence}}),
        .source = "P7, C3",
        .statement = "one Renyi order, converted by the optimal rule; lower: a mechanism that meets it in both "
                     "directions",
        .assumptions = {asserted("the mechanism is (alpha, epsilon)-RDP, in both directions")}}});
}

Definition rdp_definition() {
  return {.name = "rdp",
          .summary = "any (alpha, epsilon)-Renyi-DP mechanism",
          .example = "rdp(alpha=8, epsilon=0.5)",
          .parameters = {{.name = "alpha", .meaning = "the order"},
                         {.name = "epsilon", .meaning = "the Renyi divergence at that order", .monotone = kLoss}},
          .make = [](const Arguments& a) {
            return rdp({a.number("alpha"), a.number("epsilon")});
          }};
}

}  // namespace doeblin::pipeline
