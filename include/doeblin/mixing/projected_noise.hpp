// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/mixing/mixing.hpp"

/// Kernels that move a point by a Lipschitz map, add noise and project back: X -> Pi(psi(Pi X) + Z).
namespace doeblin {

enum class ProjectedLaw { kGaussian, kLaplace };

/// On an interval: all maps psi of [low, high] that are `lipschitz`-Lipschitz with values in [mean_low, mean_high].
struct IntervalNoise {
  ProjectedLaw law = ProjectedLaw::kGaussian;
  double scale = 1.0;  ///< standard deviation, or the scale of the Laplace law
  double low = 0.0;
  double high = 1.0;
  double lipschitz = 1.0;
  double mean_low = -rounding::kInfinity;
  double mean_high = rounding::kInfinity;

  void validate() const;
};

/// kappa(eps) of one step: the supremum over the maps and over pairs of points.
///
/// Formula  with w = min(lipschitz (high - low), mean_high - mean_low), S the tail of Z and
///          h(u) = S(u - w/2) - e^eps S(u + w/2), which rises up to u* and falls after it
///          (u* = scale^2 eps/w, or scale eps/2 for Laplace):
///          the larger of h at the point of [low - mean_high + w/2, high - mean_low - w/2] and of
///          [mean_low - high + w/2, mean_high - low - w/2] that is nearest to u*
/// Source   catalogue M: events are half-lines, on which two means that lie farther apart are easier to tell apart; the
///          threshold lies in [low, high] and the means anywhere in their range
/// Bound    encloses kappa; relative width 1e-10 except near the epsilon at which kappa becomes 0
[[nodiscard]] Bracket hockey_stick(const IntervalNoise& noise, Epsilon epsilon);

/// `steps` such steps, each with its own map. For one step the exact kappa; for more the best bound over partitions of
/// the steps into blocks, each block a kernel of known Gaussian level (catalogue I7).
[[nodiscard]] MixingKernel interval_kernel(const IntervalNoise& noise, double steps);

/// On a ball of the given radius, in any dimension. Gaussian: Euclidean, every coordinate of Z has this standard
/// deviation. Laplace: any norm, Z has a density proportional to e^{-||z||/scale}.
struct BallNoise {
  ProjectedLaw law = ProjectedLaw::kGaussian;
  double scale = 1.0;
  double radius = 1.0;
  double lipschitz = 1.0;

  void validate() const;
};

/// Source   catalogue M: data processing, theta_g(2 lipschitz radius/scale), and blocks as above; for Laplace the
///          kernel is locally (2 lipschitz radius/scale)-private
[[nodiscard]] MixingKernel ball_kernel(const BallNoise& noise, double steps);

}  // namespace doeblin
