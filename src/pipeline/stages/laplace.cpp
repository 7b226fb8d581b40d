// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/noise.hpp"

namespace doeblin::pipeline {

Pipeline laplace(const Laplace& mechanism) {
  mechanism.validate();
  return Pipeline({noise_guarantee(mechanism),
                   {.stage = call_text("laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}),
                    .source = "P2",
                    .statement = "delta = [1 - exp((eps - sensitivity/scale)/2)]_+",
                    .assumptions = {sensitivity_assumption(mechanism.sensitivity, ""),
                                    asserted("the noise is an exact Laplace draw")}}});
}

Definition laplace_definition() {
  return {.name = "laplace",
          .summary = "add Laplace noise to a number",
          .example = "laplace(scale=1)",
          .parameters =
              {{.name = "scale", .meaning = "scale of the noise", .monotone = kNoise},
               {.name = "sensitivity", .meaning = "sensitivity of the number", .standard = 1.0, .monotone = kLoss}},
          .make = [](const Arguments& a) {
            return laplace({a.number("scale"), a.number("sensitivity")});
          }};
}

}  // namespace doeblin::pipeline
