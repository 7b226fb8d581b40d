// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker tcdp_maker() {
  return {[](const Call& a, const Settings&) {
    const TruncatedCdp level{a.number("rho"), a.number("omega")};
    Mechanism any = Mechanism::of_profile(profile_of(level), renyi_of(level));
    // Its divergences are alpha rho at every order.
    if (std::isfinite(2.0 * level.rho))
      any = std::move(any).with_example(Mechanism::of(attaining(Zcdp::level(level.rho))));
    return Evaluated{std::move(any),
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
