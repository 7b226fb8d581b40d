// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline gaussian(const Gaussian& mechanism) {
  return Pipeline(
      {Mechanism::of(doeblin::gdp(mechanism)),
       {.stage = call_text("gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}}),
        .source = "P1",
        .statement = "the Gaussian mechanism is exactly mu-GDP with mu = sensitivity/sigma",
        .assumptions = {sensitivity_assumption(mechanism.sensitivity, " in Euclidean norm"),
                        asserted("the noise is an exact normal draw")}}});
}

SourceMaker gaussian_maker() {
  return {[](const Call& a, const Settings&) { return gaussian({a.number("sigma"), a.number("sensitivity")}); }};
}

}  // namespace doeblin::pipeline
