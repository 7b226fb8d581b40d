// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/noise.hpp"

namespace doeblin::pipeline {

Pipeline discrete_laplace(const DiscreteLaplace& mechanism) {
  mechanism.validate();
  return Pipeline(
      {noise_guarantee(mechanism),
       {.stage = call_text("discrete_laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P7",
        .statement = "Pr[x] proportional to exp(-|x|/scale) on the integers; both tails are geometric sums",
        .assumptions = {checked("the sensitivity is an integer"),
                        sensitivity_assumption(mechanism.sensitivity, ", an integer"),
                        asserted("the noise is an exact discrete Laplace draw")}}});
}

Definition discrete_laplace_definition() {
  return {
      .name = "discrete_laplace",
      .summary = "add two-sided geometric noise to an integer",
      .example = "discrete_laplace(scale=2, sensitivity=1)",
      .parameters = {{.name = "scale", .meaning = "scale of the noise", .monotone = kNoise},
                     {.name = "sensitivity",
                      .meaning = "sensitivity, an integer",
                      .standard = 1.0,
                      .monotone = Monotone{.larger_is_safer = false, .low = 0.0, .high = 0x1p40, .is_integer = true}}},
      .make = [](const Arguments& a) {
        return discrete_laplace({a.number("scale"), a.number("sensitivity")});
      }};
}

}  // namespace doeblin::pipeline
