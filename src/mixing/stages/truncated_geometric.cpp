// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker truncated_geometric_maker() {
  return {[](const Call& a, const Settings&) {
    const double states = a.number("states");
    const double ratio = a.number("ratio");
    const double steps = a.number("steps");
    return kernel(truncated_geometric(states, ratio),
                  call_text("truncated_geometric", {{"states", states}, {"ratio", ratio}, {"steps", steps}}), steps);
  }};
}

}  // namespace doeblin::pipeline
