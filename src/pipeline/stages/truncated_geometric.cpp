// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/maker.hpp"

namespace doeblin::pipeline {

Maker truncated_geometric_maker() {
  return {[](const Call& a, const Settings&) {
    const double states = a.number("states");
    const double ratio = a.number("ratio");
    const double steps = a.number("steps");
    return kernel(truncated_geometric(states, ratio),
                  call_text("truncated_geometric", {{"states", states}, {"ratio", ratio}, {"steps", steps}}), steps);
  }};
}

}  // namespace doeblin::pipeline
