// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

namespace doeblin::training {

inline constexpr double kLeastNorm = 1e-100;
inline constexpr double kMostNorm = 1e100;

/// Scales x down to the norm, if it is longer.
///
/// Bound    the exact Euclidean norm of what is left in x is at most `norm`
/// A vector whose exact norm is at most `norm` keeps every bit, unless it is within a part of 1e-80 of it.
/// Domain   finite numbers, at most 2^28 of them; kLeastNorm <= norm <= kMostNorm
void clip_to_norm(std::span<double> x, double norm);

}  // namespace doeblin::training
