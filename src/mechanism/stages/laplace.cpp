// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker laplace_maker() {
  return {[](const Call& a, const Settings&) {
    const Laplace mechanism{a.number("scale"), a.number("sensitivity")};
    mechanism.validate();
    return Evaluated{noise_mechanism(mechanism),
                     {.source = "P2",
                      .statement = "delta = [1 - exp((eps - sensitivity/scale)/2)]_+",
                      .assumptions = {sensitivity_assumption(mechanism.sensitivity, ""),
                                      asserted("the noise is an exact Laplace draw")}}};
  }};
}

Pipeline laplace(const Laplace& mechanism) {
  return made(laplace_maker(),
              call_of("laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}));
}

}  // namespace doeblin::pipeline
