// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline laplace(const Laplace& mechanism) {
  mechanism.validate();
  return Pipeline({noise_mechanism(mechanism),
                   {.stage = call_text("laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}),
                    .source = "P2",
                    .statement = "delta = [1 - exp((eps - sensitivity/scale)/2)]_+",
                    .assumptions = {sensitivity_assumption(mechanism.sensitivity, ""),
                                    asserted("the noise is an exact Laplace draw")}}});
}

SourceMaker laplace_maker() {
  return {[](const Call& a, const Settings&) { return laplace({a.number("scale"), a.number("sensitivity")}); }};
}

}  // namespace doeblin::pipeline
