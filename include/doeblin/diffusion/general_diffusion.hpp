// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/profile/zcdp.hpp"

/// The privacy of any symmetric diffusion, from how fast it forgets where it started.
namespace doeblin {

/// kappa(s): an enclosure of sup over neighbours x, x' and over y of Gamma(log p_s(x, y)/p_s(x', y)), the squared
/// steepness of the log-likelihood ratio at time s, measured by the diffusion itself.
using Steepness = std::function<Bracket(double time)>;

/// A function that returns doubles, each right to `relative_error`.
[[nodiscard]] Steepness steepness_of(std::function<double(double)> kappa, double relative_error = 1e-14);

/// What the caller knows about kappa beyond its values; without it no finite number of values says anything about an
/// integral.
struct SteepnessShape {
  enum class Bend {
    kDecreasing,  ///< kappa never increases: error of first order
    kConvex,      ///< and is convex: second order
    kLogConvex    ///< and so is log kappa, as for sums of exponentials and powers of 1/s
  };
  Bend bend = Bend::kDecreasing;
  /// kappa(s + u) <= kappa(s) e^{-rate u}; 0 if no such rate is known.
  double rate = 0.0;
  /// kappa(c s) <= kappa(s) c^{-power} for c >= 1; must exceed 1 to be of use, 0 if none is known.
  double power = 0.0;

  /// At least one of rate > 0 and power > 1.
  void validate() const;
};

struct SteepnessOptions {
  /// Stop when the enclosure is this narrow, relatively.
  double relative_width = 1e-8;
  /// Or after so many values of kappa.
  int most_values = 200000;
};

/// Lambda(t) = int_t^infinity kappa(s) ds: the Renyi divergence of order alpha is at most alpha Lambda(t).
///
/// Source   [BBGG19] Theorem 6; catalogue D3
/// Bound    encloses the integral of any kappa that has the shape asserted and lies in the enclosures given; values
///          that contradict the shape are refused
/// Method   cells that are halved where the enclosure is widest; on one cell a decreasing function lies between its
///          ends, a convex one between the midpoint and the chord, a log-convex one below the chord of its logarithm;
///          the rest of the axis by the rate or the power
/// Cost     O(1/width) values of kappa when it only decreases, O(1/sqrt(width)) when it is convex
[[nodiscard]] Bracket renyi_level(const Steepness& kappa, double time, const SteepnessShape& shape,
                                  const SteepnessOptions& options = {});

}  // namespace doeblin
