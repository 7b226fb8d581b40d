// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker tcdp_maker() {
  return {[](const Call& a, const Settings&) {
    const TruncatedCdp level{a.number("rho"), a.number("omega")};
    return Evaluated{Mechanism::of_profile(profile_of(level), renyi_of(level)),
                     {.source = "P7, C3",
                      .statement = "Renyi divergence at most alpha rho at orders below omega, converted by the optimal "
                                   "rule; lower: the Gaussian mechanism with mu^2 = 2 rho",
                      .assumptions = {asserted("the mechanism is omega-truncated rho-CDP")}}};
  }};
}

Pipeline tcdp(const TruncatedCdp& level) {
  return made(tcdp_maker(), call_of("tcdp", {{"rho", level.rho}, {"omega", level.omega}}));
}

}  // namespace doeblin::pipeline
