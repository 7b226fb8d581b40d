// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mechanism/maker.hpp"
#include "doeblin/mechanism/stages.hpp"

namespace doeblin::pipeline {

SourceMaker gdp_maker() {
  return {[](const Call& a, const Settings&) {
    return Evaluated{Mechanism::of(Gdp::level(a.number("mu"))),
                     {.source = "P7",
                      .statement = "mu-GDP has the profile of N(mu, 1) against N(0, 1)",
                      .assumptions = {asserted("the mechanism is mu-GDP")}}};
  }};
}

Pipeline gdp(double mu) { return made(gdp_maker(), call_of("gdp", {{"mu", mu}})); }

}  // namespace doeblin::pipeline
