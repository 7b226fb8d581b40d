// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/noise.hpp"

namespace doeblin::pipeline {

Pipeline twice_laplace(const TwiceLaplace& mechanism) {
  mechanism.validate();
  return Pipeline(
      {noise_guarantee(mechanism),
       {.stage = call_text(
            "twice_laplace",
            {{"scale1", mechanism.scale1}, {"scale2", mechanism.scale2}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P6",
        .statement = "the sum of two Laplace noises is log-concave: delta is a tail difference at one point",
        .assumptions = {sensitivity_assumption(mechanism.sensitivity, ""),
                        asserted("the two noises are independent, exact Laplace draws")}}});
}

Definition twice_laplace_definition() {
  return {.name = "twice_laplace",
          .summary = "add the sum of two independent Laplace noises to a number",
          .example = "twice_laplace(scale1=1, scale2=2)",
          .parameters =
              {{.name = "scale1", .meaning = "scale of the first noise", .monotone = kNoise},
               {.name = "scale2", .meaning = "scale of the second noise", .monotone = kNoise},
               {.name = "sensitivity", .meaning = "sensitivity of the number", .standard = 1.0, .monotone = kLoss}},
          .make = [](const Arguments& a) {
            return twice_laplace({a.number("scale1"), a.number("scale2"), a.number("sensitivity")});
          }};
}

}  // namespace doeblin::pipeline
