// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/projected.hpp"

namespace doeblin::pipeline {

Definition projected_laplace_definition() {
  return {.name = "projected_laplace",
          .summary = "post-processing by steps that apply a Lipschitz map, add Laplace noise and project back",
          .example = "laplace(scale=1) | projected_laplace(sigma=0.5, low=0, high=1)",
          .parameters = projected_parameters("scale of the noise of a step; on a ball its density is e^{-|z|/sigma}"),
          .make = [](const Arguments& a) { return projected_from(a, ProjectedLaw::kLaplace); },
          .limits = projected_limits};
}

}  // namespace doeblin::pipeline
