// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "doeblin/core/types.hpp"
#include "doeblin/mixing/finite_kernel.hpp"

/// How much a finite kernel mixes: the coefficients of catalogue section M. Smaller is more mixing.
namespace doeblin {

/// A coefficient that is a largest value over pairs of states, and a pair that comes within the bracket of it.
struct PairCoefficient {
  Bracket value{0.0};
  std::size_t first = 0;
  std::size_t second = 0;
};

/// Called now and then with how much of a long search is done, between 0 and 1.
using SearchProgress = std::function<void(double)>;

/// Formula  D_{e^eps}(K(x)||K(x')) = sum_y [K(x,y) - e^eps K(x',y)]_+
[[nodiscard]] Bracket hockey_stick(const FiniteKernel& kernel, std::size_t first, std::size_t second, Epsilon epsilon);

/// The (gamma, eps)-Dobrushin coefficient, the largest hockey-stick divergence of two rows.
///
/// Formula  kappa(eps) = max over x, x' of D_{e^eps}(K(x)||K(x'))
/// Source   catalogue M, M2
/// Bound    encloses kappa; relative width about 1e-15 for short rows and 1e-13 for long ones, plus what the errors of
///          the entries cost
/// Method   every pair is looked at in single precision, rounded so that nothing is lost; pairs that might be the
///          largest again in double precision. Sparse kernels first look for disjoint rows (then kappa = 1), and
///          then screen by their most used columns
/// Cost     states^2 * outputs, on all cores
[[nodiscard]] PairCoefficient hockey_stick(const FiniteKernel& kernel, Epsilon epsilon,
                                           const SearchProgress& progress = {});

/// The Dobrushin coefficient: the largest total variation distance of two rows, kappa(0).
[[nodiscard]] PairCoefficient dobrushin(const FiniteKernel& kernel, const SearchProgress& progress = {});

/// K(x) >= (1 - gamma) omega for all x.
struct DoeblinCoefficient {
  Bracket gamma{1.0};
  /// omega, nearly: column minima divided by their sum. Empty when all columns have a zero.
  std::vector<double> minorising = {};
};

/// Formula  1 - gamma = sum_y min_x K(x,y)
/// Cost     one pass over the entries
[[nodiscard]] DoeblinCoefficient doeblin_coefficient(const FiniteKernel& kernel);

/// K(x,y) >= (1 - gamma) K(x',y) for all x, x', y.
struct UltraMixingCoefficient {
  Bracket gamma{0.0};
  /// -log(1 - gamma): the kernel is locally private with this epsilon and delta = 0. Exact where gamma rounds to 1.
  Bracket level{0.0};
  /// Where it is attained: K(smaller, output)/K(larger, output) = 1 - gamma.
  std::size_t smaller = 0;
  std::size_t larger = 0;
  std::size_t output = 0;
};

/// Formula  1 - gamma = min over y, x, x' of K(x,y)/K(x',y), where 0/0 does not count and 0/positive = 0
/// Cost     one pass over the entries
[[nodiscard]] UltraMixingCoefficient ultra_mixing_coefficient(const FiniteKernel& kernel);

/// The kernel with its own coefficients among its MixingBounds, so that products know them.
[[nodiscard]] FiniteKernel with_coefficients(FiniteKernel kernel);

/// K applied `steps` times. Domain: square, steps >= 1.
///
/// The coefficients of the powers on the way are carried along as MixingBounds.
/// Cost     log2(steps) products
[[nodiscard]] FiniteKernel power(const FiniteKernel& kernel, double steps, const SearchProgress& progress = {});

}  // namespace doeblin
