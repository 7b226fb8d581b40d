// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"

namespace doeblin::pipeline {

StageMaker evolve_maker() {
  return {[](const Call& a, const Settings&) {
    const double time = a.number("time");
    require(time >= 0.0 && std::isfinite(time), "time", time, "0 <= time < infinity");
    return Stage{.about = same_people, .apply = [time](const Mechanism& before) {
                   if (!before.evolved())
                     throw InvalidArgument("time", time, "a diffusion right before this stage, such as brownian(...)");
                   Evaluated longer = before.evolved()(time);
                   longer.step.statement = "semigroup: the same as " + longer.step.stage + "; " + longer.step.statement;
                   longer.step.assumptions = {asserted("only the later value is released, not the earlier one")};
                   return longer;
                 }};
  }};
}

Stage evolve(double time) { return made(evolve_maker(), call_of("evolve", {{"time", time}})); }

}  // namespace doeblin::pipeline
