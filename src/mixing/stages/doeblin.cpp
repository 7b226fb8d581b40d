// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

Kernel doeblin(double gamma) {
  return {.text = call_text("doeblin", {{"gamma", gamma}}),
          .statement = "a Doeblin kernel is gamma-Dobrushin (M6); attained by forgetting with probability 1 - gamma",
          .assumptions = {asserted("K(x) >= (1 - gamma) omega for all x and one law omega")},
          .bound = dobrushin_kernel(gamma),
          .doeblin = Bracket(gamma)};
}

KernelMaker doeblin_maker() {
  return {[](const Call& a, const Settings&) { return doeblin(a.number("gamma")); }};
}

}  // namespace doeblin::pipeline
