// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "doeblin/core/grid_release.hpp"
#include "doeblin/profile/gdp.hpp"

/// What discrete noise on a grid guarantees, by comparison with the continuous noise it stands for.
/// docs/theory/diffusion.md has the proofs.
namespace doeblin {

/// Discrete Gaussian noise of parameter s on integers that differ by a vector of length D is, up to factors too close
/// to 1 for a double, at least as private as N(0, s^2 - r^2) and at most as private as N(0, s^2 + r^2), r^2 =
/// kSmoothing: rounding a normal at random to the integers gives the one, adding a normal to it the other.
///
/// Source   catalogue D6 (this project): Poisson summation, sum_k e^{-(k-y)^2/(2 r^2)} = r sqrt(2 pi) (1 + z) with
///          |z| < 2.01 e^{-2 pi^2 r^2} < 1e-850 for all y
inline constexpr double kSmoothing = 100.0;
/// The factors, up to 2^60 of them, are charged by moving mu by this much relatively; that is enough for levels
/// between kLeastLevel and kMostLevel.
inline constexpr double kSmoothingCharge = 0x1p-50;
inline constexpr double kLeastLevel = 1e-300;
inline constexpr double kMostLevel = 100.0;

/// The privacy of the `release`-th value of every path, and of all later ones together with it.
struct GridLevel {
  /// Encloses the Gaussian level.
  Gdp gdp;
  /// Rounding along the path: the lower end of delta is what `gdp` says less (1 + e^epsilon) times this,
  double slack;
  /// and less what an attacker loses who must decide by published values: a threshold may be off by this, in units of
  /// the noise.
  double blur;
};

/// Formula  mu^2 = sum over columns of I2 for the column's path: shifts in whole steps of the grid, each rounding of a
///          product moves the two paths sqrt(cells) further apart
/// Source   catalogue D5, D6, I2
/// Domain   law kGaussian; release counts from 1; noise >= 2^7 steps; InvalidArgument for a level outside
///          [kLeastLevel, kMostLevel]
[[nodiscard]] GridLevel gaussian_grid_level(const GridRelease& release, std::size_t number);

/// Delta with slack and blur taken off its lower end. With p and q the normal densities at distance mu, which satisfy
/// p(t) = e^epsilon q(t) e^{mu (t - t0)}, deciding by cells of half-diagonal w instead of by t >= t0 loses at most
/// the integral of |p - e^epsilon q| over |t - t0| <= w, that is 2 w max p (e^{mu w} - 1); twice that is taken off.
[[nodiscard]] Bracket delta(const GridLevel& level, Epsilon epsilon);
[[nodiscard]] ProfileTraits profile_traits(const GridLevel& level);

/// Discrete Laplace noise of parameter b on integers that differ by D in total is dominated by Laplace noise at
/// sensitivity (D + 2)/b: its profile is that of Laplace noise on a lattice of epsilons 2/b apart, and convex in
/// e^epsilon between. Published in cells of c steps it is at least as bad as at (D - 4 c)/b: thresholds between cells
/// are best for epsilons 2c/b apart, and two inputs D - c apart or more lie alike in their cells.
///
/// Bound    encloses the sensitivity, in units of the scale, of the equivalent Laplace mechanism of the column
/// Source   catalogue D6 (this project), P2, P7
[[nodiscard]] Bracket laplace_grid_level(const GridColumn& column);

}  // namespace doeblin
