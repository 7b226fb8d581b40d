// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker ultra_mixing_maker() {
  return {[](const Call& a, const Settings&) {
    const double gamma = a.number("gamma");
    return Kernel{.statement = "the kernel is locally private with e^-epsilon = 1 - gamma (M5); attained",
                  .assumptions = {asserted("K(x, y) >= (1 - gamma) K(x', y) for all x, x' and y")},
                  .bound = ultra_mixing_kernel(gamma),
                  .doeblin = Bracket(gamma)};
  }};
}

Kernel ultra_mixing(double gamma) { return made(ultra_mixing_maker(), call_of("ultra_mixing", {{"gamma", gamma}})); }

}  // namespace doeblin::pipeline
