// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

Pipeline gdp(double mu) {
  return Pipeline({Mechanism::of(Gdp::level(mu)),
                   {.stage = call_text("gdp", {{"mu", mu}}),
                    .source = "P7",
                    .statement = "mu-GDP has the profile of N(mu, 1) against N(0, 1)",
                    .assumptions = {asserted("the mechanism is mu-GDP")}}});
}

SourceMaker gdp_maker() {
  return {[](const Call& a, const Settings&) { return gdp(a.number("mu")); }};
}

}  // namespace doeblin::pipeline
