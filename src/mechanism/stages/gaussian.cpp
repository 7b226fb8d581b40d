// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker gaussian_maker() {
  return {[](const Call& a, const Settings&) {
    const Gaussian mechanism{a.number("sigma"), a.number("sensitivity")};
    return Evaluated{Mechanism::of(doeblin::gdp(mechanism)),
                     {.source = "P1",
                      .statement = "the Gaussian mechanism is exactly mu-GDP with mu = sensitivity/sigma",
                      .assumptions = {sensitivity_assumption(mechanism.sensitivity, " in Euclidean norm"),
                                      asserted("the noise is an exact normal draw")}}};
  }};
}

Pipeline gaussian(const Gaussian& mechanism) {
  return made(gaussian_maker(),
              call_of("gaussian", {{"sigma", mechanism.sigma}, {"sensitivity", mechanism.sensitivity}}));
}

}  // namespace doeblin::pipeline
