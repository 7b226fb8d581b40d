// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {
namespace {

Kernel flipping(double flip, double steps) {
  require(flip >= 0.0 && flip <= 1.0, "flip", flip, "0 <= flip <= 1");
  Kernel kernel = k_ary_response({.p = flip, .steps = steps, .p_is_of_replacing = true});
  kernel.assumptions = {asserted("the bit is flipped with probability flip")};
  kernel.power = [flip, steps](double times) { return flipping(flip, steps * times); };
  return kernel;
}

}  // namespace

KernelMaker binary_symmetric_maker() {
  return {[](const Call& a, const Settings&) { return flipping(a.number("flip"), a.number("steps")); }};
}

Kernel binary_symmetric(double flip, double steps) {
  return made(binary_symmetric_maker(), call_of("binary_symmetric", {{"flip", flip}, {"steps", steps}}));
}

}  // namespace doeblin::pipeline
