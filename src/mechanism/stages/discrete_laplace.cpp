// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker discrete_laplace_maker() {
  return {[](const Call& a, const Settings&) {
    const DiscreteLaplace mechanism{a.number("scale"), a.number("sensitivity")};
    mechanism.validate();
    return Evaluated{
        noise_mechanism(mechanism),
        {.source = "P7",
         .statement = "Pr[x] proportional to exp(-|x|/scale) on the integers; both tails are geometric sums",
         .assumptions = {checked("the sensitivity is an integer"),
                         sensitivity_assumption(mechanism.sensitivity, ", an integer"),
                         asserted("the noise is an exact discrete Laplace draw")}}};
  }};
}

Pipeline discrete_laplace(const DiscreteLaplace& mechanism) {
  return made(discrete_laplace_maker(),
              call_of("discrete_laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}));
}

}  // namespace doeblin::pipeline
