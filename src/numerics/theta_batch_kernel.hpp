// SPDX-License-Identifier: Apache-2.0
// Included by code for any processor and by code for AVX2: declarations only, so that no function is shared.
#pragma once

#include <cstddef>

namespace doeblin::numerics::kernel {

/// Of a cell's polynomial in y = (epsilon - centre)/(width/2), in ascending order; 2^1000 theta, so that nothing that
/// a double can hold, and nothing close to it, is subnormal.
inline constexpr int kCellCoefficients = 12;

/// 2^1000 times the smallest normal double, less 2^-40 of it: values below this have an upper end that is at most the
/// smallest normal double, and ends of values above it round with 2^-53 at most.
inline constexpr double kTinyValue = 0x1.fffffffffep-23;

/// theta as a polynomial on each cell. Cell k is centred at k width.
struct ThetaCells {
  /// kCellCoefficients for each cell from `first` on, on a boundary of 32 bytes.
  const double* coefficients;
  double first;
  /// Every epsilon is first moved into [least, greatest]: cells at the ends that stand for all beyond are constant.
  double least, greatest;
  /// Has 8 bits, so that k width is exact.
  double width;
  /// Rounded.
  double inverse_width;
  /// theta lies in [low, high] times the computed value.
  double low, high;
  /// Before this epsilon no value is below kTinyValue.
  double tiny_from;
};

struct EpsilonRange {
  double least, greatest;
  /// Whether all are >= 0; if not, the ends mean nothing.
  bool is_valid;
};

/// Domain: count > 0.
EpsilonRange epsilon_range_avx2(const double* epsilon, std::size_t count);
void theta_avx2(const ThetaCells& cells, const double* epsilon, double* lower, double* upper, std::size_t count);

}  // namespace doeblin::numerics::kernel
