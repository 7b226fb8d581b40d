// SPDX-License-Identifier: Apache-2.0
#include "diffusion/stages/diffusion.hpp"
#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated after(const DiffusionMechanism& mechanism) {
  return {running(Mechanism::of(doeblin::gdp(mechanism)), mechanism.time,
                  [mechanism](const Bracket& total) {
                    DiffusionMechanism longer = mechanism;
                    longer.time = total;
                    return after(longer);
                  }),
          {.stage = call_text("ornstein_uhlenbeck", {{"theta", mechanism.process.theta},
                                                     {"rho", mechanism.process.rho},
                                                     {"time", mechanism.time.middle()},
                                                     {"sensitivity", mechanism.sensitivity}}),
           .source = "D2",
           .statement = "N(e^{-theta time} f, (rho^2/theta)(1 - e^{-2 theta time}) I): exactly mu-GDP with mu = "
                        "sensitivity sqrt(theta)/(rho sqrt(e^{2 theta time} - 1)); Renyi divergence alpha " +
                        format_up(renyi_level(mechanism).upper()) + " at order alpha",
           .assumptions = {sensitivity_assumption(mechanism.sensitivity, " in Euclidean norm"),
                           asserted("the noise is an exact normal draw")}}};
}

}  // namespace

Pipeline ornstein_uhlenbeck(const DiffusionMechanism& mechanism) { return Pipeline(after(mechanism)); }

SourceMaker ornstein_uhlenbeck_maker() {
  return {[](const Call& a, const Settings&) {
    require_noise("time", a.number("time"));
    return ornstein_uhlenbeck(
        {{a.number("theta"), a.number("rho")}, Bracket(a.number("time")), a.number("sensitivity")});
  }};
}

}  // namespace doeblin::pipeline
