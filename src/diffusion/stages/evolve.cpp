// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/diffusion/stages.hpp"
#include "doeblin/mechanism/maker.hpp"

namespace doeblin::pipeline {

Stage evolve(double time) {
  require(time >= 0.0 && std::isfinite(time), "time", time, "0 <= time < infinity");
  return {call_text("evolve", {{"time", time}}), same_people, [time](const Mechanism& before) {
            if (!before.evolved())
              throw InvalidArgument("time", time, "a diffusion right before this stage, such as brownian(...)");
            Evaluated longer = before.evolved()(time);
            longer.step.statement = "semigroup: the same as " + longer.step.stage + "; " + longer.step.statement;
            longer.step.stage = call_text("evolve", {{"time", time}});
            longer.step.assumptions = {asserted("only the later value is released, not the earlier one")};
            return longer;
          }};
}

StageMaker evolve_maker() {
  return {[](const Call& a, const Settings&) { return evolve(a.number("time")); }};
}

}  // namespace doeblin::pipeline
