// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/amplify/projected_noise.hpp"
#include "doeblin/pipeline/definition.hpp"

namespace doeblin::pipeline {

/// The parameters of projected_gaussian and projected_laplace, after the scale of the noise.
[[nodiscard]] std::vector<Parameter> projected_parameters(const char* scale_meaning);

/// Where the guarantee is monotone in a parameter. Throws for the noise where the maps may leave the interval in a
/// known range: means beyond its ends all look alike until there is enough noise to bring them back.
[[nodiscard]] Monotone projected_limits(const Parameter& parameter, const Arguments& arguments);

/// On [low, high], or on a ball when a radius is given.
[[nodiscard]] Kernel projected_from(const Arguments& arguments, ProjectedLaw law);

}  // namespace doeblin::pipeline
