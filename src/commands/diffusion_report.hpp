// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/pipeline/diffusion_calibration.hpp"

namespace doeblin::commands {

/// What `calibrate` says about an Ornstein-Uhlenbeck mechanism: parameters, the noise drawn, and the errors of its
/// rivals at the same privacy.
[[nodiscard]] std::string text_diffusion(const pipeline::DiffusionTarget& target,
                                         const pipeline::CalibratedDiffusion& found);
[[nodiscard]] std::string json_diffusion(const pipeline::DiffusionTarget& target,
                                         const pipeline::CalibratedDiffusion& found);

}  // namespace doeblin::commands
