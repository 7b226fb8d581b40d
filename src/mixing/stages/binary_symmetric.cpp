// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

Kernel binary_symmetric(double flip, double steps) {
  require(flip >= 0.0 && flip <= 1.0, "flip", flip, "0 <= flip <= 1");
  Kernel kernel = k_ary_response({.p = flip, .steps = steps, .p_is_of_replacing = true});
  kernel.text = call_text("binary_symmetric", {{"flip", flip}, {"steps", steps}});
  kernel.assumptions = {asserted("the bit is flipped with probability flip")};
  kernel.power = [flip, steps](double times) { return binary_symmetric(flip, steps * times); };
  return kernel;
}

KernelMaker binary_symmetric_maker() {
  return {[](const Call& a, const Settings&) { return binary_symmetric(a.number("flip"), a.number("steps")); }};
}

}  // namespace doeblin::pipeline
