// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker discrete_gaussian_maker() {
  return {[](const Call& a, const Settings&) {
    const DiscreteGaussian mechanism{a.number("sigma"), a.number("sensitivity")};
    mechanism.validate();
    return Evaluated{
        noise_mechanism(mechanism),
        {.source = "P7",
         .statement = "Pr[x] proportional to exp(-x^2/(2 sigma^2)) on the integers; delta is a sum over the integers",
         .assumptions = {checked("the sensitivity is an integer"),
                         sensitivity_assumption(mechanism.sensitivity, ", an integer"),
                         asserted("the noise is an exact discrete Gaussian draw")}}};
  }};
}

Pipeline discrete_gaussian(const DiscreteGaussian& mechanism) {
  return made(discrete_gaussian_maker(),
              call_of("discrete_gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}}));
}

}  // namespace doeblin::pipeline
