// SPDX-License-Identifier: Apache-2.0
#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/stages.hpp"

namespace doeblin::pipeline {

KernelMaker dobrushin_maker() {
  return {[](const Call& a, const Settings&) {
    const double epsilon = a.number("epsilon");
    return Kernel{
        .statement =
            "kappa <= gamma from this epsilon on, and as large as for an (epsilon, gamma)-private kernel "
            "below it; attained",
        .assumptions = {asserted(epsilon == 0.0 ? "the total variation distance of K(x) and K(x') is at most gamma"
                                                : "the divergence of K(x) and K(x') at epsilon is at most gamma")},
        .bound = dobrushin_kernel(a.number("gamma"), epsilon)};
  }};
}

Kernel dobrushin(double gamma, double epsilon) {
  return made(dobrushin_maker(), call_of("dobrushin", {{"gamma", gamma}, {"epsilon", epsilon}}));
}

}  // namespace doeblin::pipeline
