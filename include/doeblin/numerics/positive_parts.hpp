// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>

/// Sums of positive parts: sum_c max(p_c - q_c, 0), the inner loop of a search over all pairs of rows.
namespace doeblin::numerics {

/// Rows are packed so that one load serves several pairs: kLeft rows of p interleaved as p[column][row], kRight rows
/// of q as q[column][row].
inline constexpr std::size_t kLeft = 4;
inline constexpr std::size_t kRight = 16;

/// sums[i][j] = sum over columns of max(p_i - q_j, 0) in single precision; returns the largest.
///
/// Domain   finite entries; q may hold +infinity
/// Bound    for non-negative terms that are exact in single precision up to their own rounding, every sum is at least
///          (1 - tile_error(columns)) times the exact one
/// Method   AVX2 where the processor has it
float positive_parts_tile(const float* p, const float* q, std::size_t columns, float sums[kLeft][kRight]);

/// An upper bound on the relative error of a sum of positive_parts_tile.
[[nodiscard]] double tile_error(std::size_t columns);

/// The same in integers, exactly: three times as fast, for entries that were rounded to 12 bits. Rows of p are packed
/// by kLeft and rows of q by kCoarseRight.
///
/// Domain   entries <= kCoarseMost, at most 2^20 columns
inline constexpr std::size_t kCoarseRight = 32;
inline constexpr std::uint16_t kCoarseMost = 4095;
std::uint32_t coarse_parts_tile(const std::uint16_t* p, const std::uint16_t* q, std::size_t columns,
                                std::uint32_t sums[kLeft][kCoarseRight]);

/// The sum over columns of max(p_c - g q_c, 0) in double precision.
///
/// Domain   finite p_c >= 0, q_c >= 0 and g >= 0 with finite g q_c
/// Bound    within (columns/4 + 8) 2^-53, relatively, of the sum of the rounded terms
[[nodiscard]] double positive_part_sum(const double* p, const double* q, double g, std::size_t columns);

}  // namespace doeblin::numerics
