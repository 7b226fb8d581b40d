// SPDX-License-Identifier: Apache-2.0
#include "pipeline/stages/projected.hpp"

namespace doeblin::pipeline {

Definition projected_gaussian_definition() {
  return {.name = "projected_gaussian",
          .summary = "post-processing by steps that apply a Lipschitz map, add Gaussian noise and project back",
          .example = "gaussian(sigma=1) | projected_gaussian(sigma=0.5, low=0, high=1, lipschitz=0.9, steps=10)",
          .parameters = projected_parameters("standard deviation of the noise of a step, in every coordinate"),
          .make = [](const Arguments& a) { return projected_from(a, ProjectedLaw::kGaussian); },
          .limits = projected_limits};
}

}  // namespace doeblin::pipeline
