// SPDX-License-Identifier: Apache-2.0
#include "diffusion/stages/diffusion.hpp"
#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/noise.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::pipeline {
namespace {

Evaluated after(const Bracket& time, double sensitivity) {
  const DiffusionMechanism mechanism{{}, time, sensitivity};
  return {running(Mechanism::of(doeblin::gdp(mechanism)), time,
                  [sensitivity](const Bracket& total) { return after(total, sensitivity); }),
          {.stage = call_text("brownian", {{"time", time.middle()}, {"sensitivity", sensitivity}}),
           .source = "D1",
           .statement = "N(f, 2 time I): exactly mu-GDP with mu = sensitivity/sqrt(2 time); Renyi divergence alpha " +
                        format_up(renyi_level(mechanism).upper()) + " at order alpha",
           .assumptions = {sensitivity_assumption(sensitivity, " in Euclidean norm"),
                           asserted("the noise is an exact normal draw")}}};
}

}  // namespace

Pipeline brownian(double time, double sensitivity) {
  require_noise("time", time);
  return Pipeline(after(Bracket(time), sensitivity));
}

SourceMaker brownian_maker() {
  return {[](const Call& a, const Settings&) { return brownian(a.number("time"), a.number("sensitivity")); }};
}

}  // namespace doeblin::pipeline
