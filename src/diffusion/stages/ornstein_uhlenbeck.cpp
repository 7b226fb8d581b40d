// SPDX-License-Identifier: Apache-2.0
#include "diffusion/stages/diffusion.hpp"
#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated ornstein_uhlenbeck_after(const Call& call, const Bracket& time) {
  const DiffusionMechanism mechanism{{call.number("theta"), call.number("rho")}, time, call.number("sensitivity")};
  return {running(Mechanism::of(doeblin::gdp(mechanism)), time,
                  [call](const Bracket& total) { return ornstein_uhlenbeck_after(call, total); }),
          {.stage = line_text(call.with("time", time.middle())),
           .source = "D2",
           .statement = "N(e^{-theta time} f, (rho^2/theta)(1 - e^{-2 theta time}) I): exactly mu-GDP with mu = "
                        "sensitivity sqrt(theta)/(rho sqrt(e^{2 theta time} - 1)); Renyi divergence alpha " +
                        format_up(renyi_level(mechanism).upper()) + " at order alpha",
           .assumptions = {sensitivity_assumption(mechanism.sensitivity, " in Euclidean norm"),
                           asserted("the noise is an exact normal draw")}}};
}

}  // namespace

SourceMaker ornstein_uhlenbeck_maker() {
  return {[](const Call& a, const Settings&) {
    require_noise("time", a.number("time"));
    return ornstein_uhlenbeck_after(a, Bracket(a.number("time")));
  }};
}

Pipeline ornstein_uhlenbeck(const DiffusionMechanism& mechanism) {
  const Call call = call_of("ornstein_uhlenbeck", {{"theta", mechanism.process.theta},
                                                   {"rho", mechanism.process.rho},
                                                   {"time", mechanism.time.middle()},
                                                   {"sensitivity", mechanism.sensitivity}});
  // No call has a time that is known from both sides only.
  if (!mechanism.time.is_exact()) return Pipeline(ornstein_uhlenbeck_after(call, mechanism.time));
  return {{.call = call}, ornstein_uhlenbeck_after(call, mechanism.time)};
}

}  // namespace doeblin::pipeline
