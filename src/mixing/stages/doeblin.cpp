// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker doeblin_maker() {
  return {[](const Call& a, const Settings&) {
    const double gamma = a.number("gamma");
    return Kernel{
        .statement = "a Doeblin kernel is gamma-Dobrushin (M6); attained by forgetting with probability 1 - gamma",
        .assumptions = {asserted("K(x) >= (1 - gamma) omega for all x and one law omega")},
        .bound = dobrushin_kernel(gamma),
        .doeblin = Bracket(gamma)};
  }};
}

Kernel doeblin(double gamma) { return made(doeblin_maker(), call_of("doeblin", {{"gamma", gamma}})); }

}  // namespace doeblin::pipeline
