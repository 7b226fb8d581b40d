// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

/// What a release on a grid draws, in exact numbers: the one description that drives both the sampler and the
/// guarantee. All lengths are in steps of the column's grid.
namespace doeblin {

/// The two laws of noise on the integers: Pr[z] proportional to exp(-t(|z|)).
enum class LatticeLaw {
  kGaussian,  ///< t(z) = z^2/(2 parameter^2)
  kLaplace    ///< t(z) = z/parameter
};

/// One step of a path: Y' = round(multiplier Y) + noise.
struct GridTransition {
  /// A multiple of 2^-62 in (0, 1]; 1 leaves Y as it is.
  double multiplier = 1.0;
  /// The parameter of the discrete noise.
  double noise;
  /// What is published of Y' is its nearest multiple of this many steps, a power of two: enough for a reader, and
  /// shorter to write. The path goes on from Y' itself.
  double published = 1.0;
};

/// One column of numbers, each on its own path.
struct GridColumn {
  /// One step of the grid is 2^exponent.
  int exponent;
  /// One person moves the column's grid points by at most this: Euclidean distance for Gaussian noise, sum of
  /// distances for Laplace noise. Rounding to the grid is included.
  double sensitivity;
  /// And there are two datasets between which it moves by at least this.
  double attained;
  /// In at most so many cells.
  double cells;
  /// The path: the value after each transition is one release.
  std::vector<GridTransition> path;
};

struct GridRelease {
  LatticeLaw law;
  std::vector<GridColumn> columns;
};

}  // namespace doeblin
