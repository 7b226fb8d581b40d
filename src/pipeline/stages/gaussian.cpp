// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/noise.hpp"

namespace doeblin::pipeline {

Pipeline gaussian(const Gaussian& mechanism) {
  return Pipeline(
      {guarantee_of(doeblin::gdp(mechanism)),
       {.stage = call_text("gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P1",
        .statement = "the Gaussian mechanism is exactly mu-GDP with mu = sensitivity/sigma",
        .assumptions = {sensitivity_assumption(mechanism.sensitivity, " in Euclidean norm"),
                        asserted("the noise is an exact normal draw")}}});
}

Definition gaussian_definition() {
  return {.name = "gaussian",
          .summary = "add N(0, sigma^2) noise to each coordinate",
          .example = "gaussian(sigma=2)",
          .parameters = {{.name = "sigma", .meaning = "standard deviation of the noise", .monotone = kNoise},
                         {.name = "sensitivity",
                          .meaning = "Euclidean sensitivity of the value",
                          .standard = 1.0,
                          .monotone = kLoss}},
          .make = [](const Arguments& a) {
            return gaussian({a.number("sigma"), a.number("sensitivity")});
          }};
}

}  // namespace doeblin::pipeline
