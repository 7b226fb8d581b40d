// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/noise.hpp"

namespace doeblin::pipeline {

Pipeline discrete_gaussian(const DiscreteGaussian& mechanism) {
  mechanism.validate();
  return Pipeline(
      {noise_guarantee(mechanism),
       {.stage = call_text("discrete_gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P7",
        .statement = "Pr[x] proportional to exp(-x^2/(2 sigma^2)) on the integers; delta is a sum over the integers",
        .assumptions = {checked("the sensitivity is an integer"),
                        sensitivity_assumption(mechanism.sensitivity, ", an integer"),
                        asserted("the noise is an exact discrete Gaussian draw")}}});
}

Definition discrete_gaussian_definition() {
  return {
      .name = "discrete_gaussian",
      .summary = "add discrete Gaussian noise to an integer",
      .example = "discrete_gaussian(sigma=4)",
      .parameters = {{.name = "sigma",
                      .meaning = "parameter of the noise (close to its standard deviation)",
                      .monotone = kNoise},
                     {.name = "sensitivity",
                      .meaning = "sensitivity, an integer",
                      .standard = 1.0,
                      .monotone = Monotone{.larger_is_safer = false, .low = 0.0, .high = 0x1p40, .is_integer = true}}},
      .make = [](const Arguments& a) {
        return discrete_gaussian({a.number("sigma"), a.number("sensitivity")});
      }};
}

}  // namespace doeblin::pipeline
