// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Kernel doeblin(double gamma) {
  return {.text = call_text("doeblin", {{"gamma", gamma}}),
          .statement = "a Doeblin kernel is gamma-Dobrushin (M6); attained by forgetting with probability 1 - gamma",
          .assumptions = {asserted("K(x) >= (1 - gamma) omega for all x and one law omega")},
          .bound = dobrushin_kernel(gamma),
          .doeblin = Bracket(gamma)};
}

Definition doeblin_definition() {
  return {.name = "doeblin",
          .summary = "post-processing by a kernel that is Doeblin (forgets its input with probability 1 - gamma)",
          .example = "gaussian(sigma=1) | doeblin(gamma=0.5)",
          .parameters = {{.name = "gamma", .meaning = "the coefficient, between 0 and 1", .monotone = kShare}},
          .make = [](const Arguments& a) { return doeblin(a.number("gamma")); }};
}

}  // namespace doeblin::pipeline
