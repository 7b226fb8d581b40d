// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline discrete_gaussian(const DiscreteGaussian& mechanism) {
  mechanism.validate();
  return Pipeline(
      {noise_mechanism(mechanism),
       {.stage = call_text("discrete_gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P7",
        .statement = "Pr[x] proportional to exp(-x^2/(2 sigma^2)) on the integers; delta is a sum over the integers",
        .assumptions = {checked("the sensitivity is an integer"),
                        sensitivity_assumption(mechanism.sensitivity, ", an integer"),
                        asserted("the noise is an exact discrete Gaussian draw")}}});
}

SourceMaker discrete_gaussian_maker() {
  return {[](const Call& a, const Settings&) {
    return discrete_gaussian({a.number("sigma"), a.number("sensitivity")});
  }};
}

}  // namespace doeblin::pipeline
