// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/diffusion/diffusion.hpp"
#include "doeblin/diffusion/general_diffusion.hpp"
#include "doeblin/mechanism/pipeline.hpp"

/// Diffusions. Each function stands in src/diffusion/stages, in the file of its name, beside its maker for the expression language.
namespace doeblin::pipeline {

/// Brownian motion and the Ornstein-Uhlenbeck process, started at the value.
[[nodiscard]] Pipeline brownian(double time, double sensitivity = 1.0);
[[nodiscard]] Pipeline ornstein_uhlenbeck(const DiffusionMechanism& mechanism);
/// Any symmetric diffusion of which the steepness kappa is known; C++ and Python only.
struct GeneralDiffusion {
  Steepness kappa;
  SteepnessShape shape;
  SteepnessOptions options = {};
};
[[nodiscard]] Pipeline diffusion(const Steepness& kappa, double time, const SteepnessShape& shape,
                                 const SteepnessOptions& options = {});
/// The released value runs on in the same diffusion.
[[nodiscard]] Stage evolve(double time);

}  // namespace doeblin::pipeline
