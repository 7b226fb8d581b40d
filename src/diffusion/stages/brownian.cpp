// SPDX-License-Identifier: Apache-2.0
#include "diffusion/stages/diffusion.hpp"
#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated brownian_after(const Call& call, const Bracket& time) {
  const double sensitivity = call.number("sensitivity");
  const DiffusionMechanism mechanism{{}, time, sensitivity};
  return {running(Mechanism::of(doeblin::gdp(mechanism)), time,
                  [call](const Bracket& total) { return brownian_after(call, total); }),
          {.stage = line_text(call.with("time", time.middle())),
           .source = "D1",
           .statement = "N(f, 2 time I): exactly mu-GDP with mu = sensitivity/sqrt(2 time); Renyi divergence alpha " +
                        format_up(renyi_level(mechanism).upper()) + " at order alpha",
           .assumptions = {sensitivity_assumption(sensitivity, " in Euclidean norm"),
                           asserted("the noise is an exact normal draw")}}};
}

}  // namespace

SourceMaker brownian_maker() {
  return {[](const Call& a, const Settings&) {
    require_noise("time", a.number("time"));
    return brownian_after(a, Bracket(a.number("time")));
  }};
}

Pipeline brownian(double time, double sensitivity) {
  return made(brownian_maker(), call_of("brownian", {{"time", time}, {"sensitivity", sensitivity}}));
}

}  // namespace doeblin::pipeline
