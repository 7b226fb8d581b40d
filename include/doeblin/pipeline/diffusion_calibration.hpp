// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "doeblin/diffusion/diffusion_error.hpp"
#include "doeblin/pipeline/calibration.hpp"

/// The Ornstein-Uhlenbeck mechanism for a target, with the error it makes beside that of its rivals (catalogue D4).
namespace doeblin::pipeline {

/// What the release must meet, and what is known about the value.
struct DiffusionTarget {
  double epsilon;
  /// One of the two: delta(epsilon) <= delta, or a Renyi divergence of order alpha of at most epsilon.
  std::optional<double> delta = std::nullopt;
  std::optional<double> alpha = std::nullopt;
  double time = 1.0;
  double sensitivity = 1.0;
  BoundedValue value;

  void validate() const;
};

/// A mechanism with the worst mean squared error it makes on values within the radius.
struct DiffusionChoice {
  DiffusionMechanism mechanism;
  double error;
};

struct CalibratedDiffusion {
  /// The Gaussian level that all of the rivals have; meets the target for certain.
  double mu;
  DiffusionChoice published;  ///< by Theorem 8
  DiffusionChoice least;      ///< by minimising
  /// The Gaussian mechanism of the same privacy, and what its output is multiplied by in the shrunk one.
  double gaussian_sigma;
  double gaussian_error;
  double shrinkage;
  double shrunk_error;
  /// Theorem 8's choice as a pipeline.
  Pipeline pipeline;
};

/// The largest mu, to a unit in the last place or two, for which mu-GDP certainly meets the target.
[[nodiscard]] double level_for(const DiffusionTarget& target);

[[nodiscard]] CalibratedDiffusion calibrate(const DiffusionTarget& target);

/// "ornstein_uhlenbeck(theta=?, rho=?, time=1, sensitivity=2)" as a target's time and sensitivity; nothing if the
/// program is anything else.
struct OpenDiffusion {
  double time;
  double sensitivity;
};
[[nodiscard]] std::optional<OpenDiffusion> open_diffusion(const Program& program);

}  // namespace doeblin::pipeline
