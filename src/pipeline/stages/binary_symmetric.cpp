// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Kernel binary_symmetric(double flip, double steps) {
  require(flip >= 0.0 && flip <= 1.0, "flip", flip, "0 <= flip <= 1");
  // Keeping with probability `flip` and then exchanging the two states is the same for every pair of rows, and does not
  // round 1 - flip; an even number of steps undoes the exchanges.
  Kernel kernel = k_ary_response({2.0, flip, steps});
  kernel.text = call_text("binary_symmetric", {{"flip", flip}, {"steps", steps}});
  kernel.assumptions = {asserted("the bit is flipped with probability flip")};
  kernel.power = [flip, steps](double times) { return binary_symmetric(flip, steps * times); };
  const bool is_exchanged = steps - 2.0 * std::floor(steps / 2.0) == 1.0;
  if (is_exchanged) {
    const FiniteKernel& rows = *kernel.finite;
    std::vector<double> values;
    for (const std::size_t x : {1U, 0U})
      for (const double value : rows.row(x).values) values.push_back(value);
    kernel.finite = std::make_shared<const FiniteKernel>(
        FiniteKernel::calculated(2, 2, std::move(values), rows.relative_error(), rows.absolute_error()));
  }
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
