// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker truncated_geometric_maker() {
  return {[](const Call& a, const Settings&) {
    return kernel_of(truncated_geometric(a.number("states"), a.number("ratio")), a.number("steps"));
  }};
}

}  // namespace doeblin::pipeline
