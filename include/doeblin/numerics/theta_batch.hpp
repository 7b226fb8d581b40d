// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "doeblin/numerics/wide.hpp"

namespace doeblin::numerics {

/// theta at many epsilons: [lower[i], upper[i]] encloses theta(epsilon[i], r). Returns a bound on all upper[i] -
/// lower[i].
///
/// Formula  theta = Q(epsilon/r - r/2) - e^epsilon Q(epsilon/r + r/2), theta = 0 at r = 0
/// Domain   epsilon[i] >= 0, r >= 0, both may be infinite; three spans of one length that do not overlap. After an
///          exception the contents of lower and upper are unspecified
/// Bound    encloses theta; relative width <= 1e-13 wherever theta > 1e-300 and r is known to 2^-90; a positive theta
///          below the smallest double gives upper = that double
/// Method   for long arrays, one polynomial of degree 11 in epsilon for each of many cells, from the Taylor series at
///          its centre; otherwise theta(epsilon[i], r), bit by bit
/// Cost     2 to 3 ns per value on one core with AVX2 and 2^-500 <= r <= 64, in any order, plus up to 0.2 ms; all
///          cores share 65536 values or more
double theta(std::span<const double> epsilon, const Wide& r, std::span<double> lower, std::span<double> upper);

}  // namespace doeblin::numerics
