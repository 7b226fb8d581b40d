// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Kernel binary_symmetric(double flip, double steps) {
  require(flip >= 0.0 && flip <= 1.0, "flip", flip, "0 <= flip <= 1");
  Kernel kernel = k_ary_response({.p = flip, .steps = steps, .p_is_of_replacing = true});
  kernel.text = call_text("binary_symmetric", {{"flip", flip}, {"steps", steps}});
  kernel.assumptions = {asserted("the bit is flipped with probability flip")};
  kernel.power = [flip, steps](double times) { return binary_symmetric(flip, steps * times); };
  return kernel;
}

Definition binary_symmetric_definition() {
  return {.name = "binary_symmetric",
          .summary = "post-processing that flips a bit with a given probability",
          .example = "randomized_response(p=0.75) | binary_symmetric(flip=0.1)",
          .parameters = {{.name = "flip", .meaning = "probability of flipping"}, steps_parameter()},
          .make = [](const Arguments& a) { return binary_symmetric(a.number("flip"), a.number("steps")); }};
}

}  // namespace doeblin::pipeline
