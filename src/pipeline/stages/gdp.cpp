// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"

namespace doeblin::pipeline {

Pipeline gdp(double mu) {
  return Pipeline({guarantee_of(Gdp::level(mu)),
                   {.stage = call_text("gdp", {{"mu", mu}}),
                    .source = "P7",
                    .statement = "mu-GDP has the profile of N(mu, 1) against N(0, 1)",
                    .assumptions = {asserted("the mechanism is mu-GDP")}}});
}

Definition gdp_definition() {
  return {.name = "gdp",
          .summary = "any mu-Gaussian-DP mechanism",
          .example = "gdp(mu=0.5)",
          .parameters = {{.name = "mu", .meaning = "its level", .monotone = kLoss}},
          .make = [](const Arguments& a) { return gdp(a.number("mu")); }};
}

}  // namespace doeblin::pipeline
