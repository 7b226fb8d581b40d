// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker twice_laplace_maker() {
  return {[](const Call& a, const Settings&) {
    const TwiceLaplace mechanism{a.number("scale1"), a.number("scale2"), a.number("sensitivity")};
    mechanism.validate();
    return Evaluated{
        noise_mechanism(mechanism),
        {.source = "P6",
         .statement = "the sum of two Laplace noises is log-concave: delta is a tail difference at one point",
         .assumptions = {sensitivity_assumption(mechanism.sensitivity, ""),
                         asserted("the two noises are independent, exact Laplace draws")}}};
  }};
}

Pipeline twice_laplace(const TwiceLaplace& mechanism) {
  return made(twice_laplace_maker(), call_of("twice_laplace", {{"scale1", mechanism.scale1},
                                                               {"scale2", mechanism.scale2},
                                                               {"sensitivity", mechanism.sensitivity}}));
}

}  // namespace doeblin::pipeline
