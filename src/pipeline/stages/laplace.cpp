// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/maker.hpp"
#include "pipeline/stages/noise.hpp"

namespace doeblin::pipeline {

Pipeline laplace(const Laplace& mechanism) {
  mechanism.validate();
  return Pipeline({noise_guarantee(mechanism),
                   {.stage = call_text("laplace", {{"scale", mechanism.scale}, {"sensitivity", mechanism.sensitivity}}),
                    .source = "P2",
                    .statement = "delta = [1 - exp((eps - sensitivity/scale)/2)]_+",
                    .assumptions = {sensitivity_assumption(mechanism.sensitivity, ""),
                                    asserted("the noise is an exact Laplace draw")}}});
}

Maker laplace_maker() {
  return {[](const Call& a, const Settings&) { return laplace({a.number("scale"), a.number("sensitivity")}); }};
}

}  // namespace doeblin::pipeline
