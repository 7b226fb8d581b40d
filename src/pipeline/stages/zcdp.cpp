// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/maker.hpp"

namespace doeblin::pipeline {

Pipeline zcdp(double rho) {
  return Pipeline({guarantee_of(Zcdp::level(rho)),
                   {.stage = call_text("zcdp", {{"rho", rho}}),
                    .source = "P7, C3",
                    .statement = "Renyi divergence at most alpha rho at every order, converted by the optimal rule; "
                                 "lower: the Gaussian mechanism with mu^2 = 2 rho",
                    .assumptions = {asserted("the mechanism is rho-zCDP")}}});
}

Maker zcdp_maker() {
  return {[](const Call& a, const Settings&) { return zcdp(a.number("rho")); }};
}

}  // namespace doeblin::pipeline
