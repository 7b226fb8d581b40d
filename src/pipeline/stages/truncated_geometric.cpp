// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Definition truncated_geometric_definition() {
  return {.name = "truncated_geometric",
          .summary = "post-processing of a count by two-sided geometric noise, clipped to its range",
          .example = "discrete_gaussian(sigma=2) | truncated_geometric(states=20, ratio=0.5)",
          .parameters = {{.name = "states", .meaning = "how many values the count can have, at most 4096"},
                         {.name = "ratio", .meaning = "noise j has probability proportional to ratio^|j|"},
                         steps_parameter()},
          .make = [](const Arguments& a) {
            const double states = a.number("states");
            const double ratio = a.number("ratio");
            const double steps = a.number("steps");
            return kernel(truncated_geometric(states, ratio),
                          call_text("truncated_geometric", {{"states", states}, {"ratio", ratio}, {"steps", steps}}),
                          steps);
          }};
}

}  // namespace doeblin::pipeline
