// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/mixing/kernel_maker.hpp"
#include "doeblin/mixing/projected_noise.hpp"

namespace doeblin::pipeline {

/// Where the guarantee is monotone in a parameter. Throws for the noise where the maps may leave the interval in a
/// known range: means beyond its ends all look alike until there is enough noise to bring them back.
[[nodiscard]] Monotone projected_limits(const Parameter& parameter, const Call& arguments);

/// On [low, high], or on a ball when a radius is given.
[[nodiscard]] Kernel projected_from(const Call& arguments, ProjectedLaw law);

}  // namespace doeblin::pipeline
