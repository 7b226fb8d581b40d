// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Kernel ultra_mixing(double gamma) {
  return {.text = call_text("ultra_mixing", {{"gamma", gamma}}),
          .statement = "the kernel is locally private with e^-epsilon = 1 - gamma (M5); attained",
          .assumptions = {asserted("K(x, y) >= (1 - gamma) K(x', y) for all x, x' and y")},
          .bound = ultra_mixing_kernel(gamma),
          .doeblin = Bracket(gamma)};
}

Definition ultra_mixing_definition() {
  return {.name = "ultra_mixing",
          .summary = "post-processing by a kernel whose rows are within a factor 1 - gamma of each other",
          .example = "black_box(epsilon=1) | ultra_mixing(gamma=0.5)",
          .parameters = {{.name = "gamma", .meaning = "the coefficient, between 0 and 1", .monotone = kShare}},
          .make = [](const Arguments& a) { return ultra_mixing(a.number("gamma")); }};
}

}  // namespace doeblin::pipeline
