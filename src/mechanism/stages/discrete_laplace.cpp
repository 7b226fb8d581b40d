// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline discrete_laplace(const DiscreteLaplace& mechanism) {
  mechanism.validate();
  return Pipeline(
      {noise_mechanism(mechanism),
       {.stage = call_text("discrete_laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P7",
        .statement = "Pr[x] proportional to exp(-|x|/scale) on the integers; both tails are geometric sums",
        .assumptions = {checked("the sensitivity is an integer"),
                        sensitivity_assumption(mechanism.sensitivity, ", an integer"),
                        asserted("the noise is an exact discrete Laplace draw")}}});
}

SourceMaker discrete_laplace_maker() {
  return {[](const Call& a, const Settings&) {
    return discrete_laplace({a.number("scale"), a.number("sensitivity")});
  }};
}

}  // namespace doeblin::pipeline
