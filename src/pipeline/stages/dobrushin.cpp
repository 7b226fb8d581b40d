// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/definition.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "pipeline/stages/kernels.hpp"

namespace doeblin::pipeline {

Kernel dobrushin(double gamma, double epsilon) {
  return {.text = epsilon == 0.0 ? call_text("dobrushin", {{"gamma", gamma}})
                                 : call_text("dobrushin", {{"gamma", gamma}, {"epsilon", epsilon}}),
          .statement =
              "kappa <= gamma from this epsilon on, and as large as for an (epsilon, gamma)-private kernel "
              "below it; attained",
          .assumptions = {asserted(epsilon == 0.0 ? "the total variation distance of K(x) and K(x') is at most gamma"
                                                  : "the divergence of K(x) and K(x') at epsilon is at most gamma")},
          .bound = dobrushin_kernel(gamma, epsilon)};
}

Definition dobrushin_definition() {
  return {.name = "dobrushin",
          .summary = "post-processing by a kernel with a known Dobrushin coefficient, at an epsilon",
          .example = "gaussian(sigma=1) | dobrushin(gamma=0.5)",
          .parameters = {{.name = "gamma", .meaning = "the coefficient, between 0 and 1", .monotone = kShare},
                         {.name = "epsilon",
                          .meaning = "where it is meant: 0 for total variation",
                          .standard = 0.0,
                          .monotone = kLoss}},
          .make = [](const Arguments& a) { return dobrushin(a.number("gamma"), a.number("epsilon")); }};
}

}  // namespace doeblin::pipeline
