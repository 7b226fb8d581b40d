// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker zcdp_maker() {
  return {[](const Call& a, const Settings&) {
    return Evaluated{Mechanism::of(Zcdp::level(a.number("rho"))),
                     {.source = "P7, C3",
                      .statement = "Renyi divergence at most alpha rho at every order, converted by the optimal rule; "
                                   "lower: the Gaussian mechanism with mu^2 = 2 rho",
                      .assumptions = {asserted("the mechanism is rho-zCDP")}}};
  }};
}

Pipeline zcdp(double rho) { return made(zcdp_maker(), call_of("zcdp", {{"rho", rho}})); }

}  // namespace doeblin::pipeline
