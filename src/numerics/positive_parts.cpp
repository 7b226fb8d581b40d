// SPDX-License-Identifier: Apache-2.0
#include "doeblin/numerics/positive_parts.hpp"

#include <algorithm>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace doeblin::numerics {
namespace {

// So many differences of at most kCoarseMost add up to less than 2^16.
constexpr std::size_t kCoarseStretch = 16;
// Partial sums over so many columns are added up separately, which keeps the rounding error of long rows small.
constexpr std::size_t kStretch = 256;

float portable_tile(const float* p, const float* q, std::size_t columns, float sums[kLeft][kRight]) {
  for (std::size_t i = 0; i < kLeft; ++i) std::fill_n(sums[i], kRight, 0.0F);
  for (std::size_t start = 0; start < columns; start += kStretch) {
    float part[kLeft][kRight] = {};
    const std::size_t end = std::min(columns, start + kStretch);
    for (std::size_t c = start; c < end; ++c)
      for (std::size_t i = 0; i < kLeft; ++i)
        for (std::size_t j = 0; j < kRight; ++j) {
          const float difference = p[c * kLeft + i] - q[c * kRight + j];
          part[i][j] += difference > 0.0F ? difference : 0.0F;
        }
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t j = 0; j < kRight; ++j) sums[i][j] += part[i][j];
  }
  float largest = 0.0F;
  for (std::size_t i = 0; i < kLeft; ++i) largest = std::max(largest, *std::max_element(sums[i], sums[i] + kRight));
  return largest;
}

std::uint32_t portable_coarse_tile(const std::uint16_t* p, const std::uint16_t* q, std::size_t columns,
                                   std::uint32_t sums[kLeft][kCoarseRight]) {
  for (std::size_t i = 0; i < kLeft; ++i) std::fill_n(sums[i], kCoarseRight, 0U);
  for (std::size_t c = 0; c < columns; ++c)
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t j = 0; j < kCoarseRight; ++j) {
        const int difference = p[c * kLeft + i] - q[c * kCoarseRight + j];
        sums[i][j] += static_cast<std::uint32_t>(std::max(difference, 0));
      }
  std::uint32_t largest = 0;
  for (std::size_t i = 0; i < kLeft; ++i)
    largest = std::max(largest, *std::max_element(sums[i], sums[i] + kCoarseRight));
  return largest;
}

double portable_sum(const double* p, const double* q, double g, std::size_t columns) {
  double part[4] = {};
  std::size_t c = 0;
  for (; c + 4 <= columns; c += 4)
    for (std::size_t k = 0; k < 4; ++k) part[k] += std::max(p[c + k] - g * q[c + k], 0.0);
  for (; c < columns; ++c) part[0] += std::max(p[c] - g * q[c], 0.0);
  return (part[0] + part[1]) + (part[2] + part[3]);
}

#if defined(__x86_64__)

__attribute__((target("avx2"))) float avx2_tile(const float* p, const float* q, std::size_t columns,
                                                float sums[kLeft][kRight]) {
  const __m256 zero = _mm256_setzero_ps();
  __m256 total[kLeft][2];
  for (auto& row : total) row[0] = row[1] = zero;
  for (std::size_t start = 0; start < columns; start += kStretch) {
    __m256 part[kLeft][2];
    for (auto& row : part) row[0] = row[1] = zero;
    const std::size_t end = std::min(columns, start + kStretch);
    for (std::size_t c = start; c < end; ++c) {
      const __m256 first = _mm256_loadu_ps(q + c * kRight);
      const __m256 second = _mm256_loadu_ps(q + c * kRight + 8);
      for (std::size_t i = 0; i < kLeft; ++i) {
        const __m256 left = _mm256_broadcast_ss(p + c * kLeft + i);
        part[i][0] = _mm256_add_ps(part[i][0], _mm256_max_ps(_mm256_sub_ps(left, first), zero));
        part[i][1] = _mm256_add_ps(part[i][1], _mm256_max_ps(_mm256_sub_ps(left, second), zero));
      }
    }
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t k = 0; k < 2; ++k) total[i][k] = _mm256_add_ps(total[i][k], part[i][k]);
  }
  __m256 largest = zero;
  for (std::size_t i = 0; i < kLeft; ++i)
    for (std::size_t k = 0; k < 2; ++k) {
      _mm256_storeu_ps(sums[i] + 8 * k, total[i][k]);
      largest = _mm256_max_ps(largest, total[i][k]);
    }
  float lanes[8];
  _mm256_storeu_ps(lanes, largest);
  return *std::max_element(lanes, lanes + 8);
}

__attribute__((target("avx2"))) std::uint32_t avx2_coarse_tile(const std::uint16_t* p, const std::uint16_t* q,
                                                               std::size_t columns,
                                                               std::uint32_t sums[kLeft][kCoarseRight]) {
  const __m256i zero = _mm256_setzero_si256();
  // Differences of two halves of the right rows, in 16 bits, and their sums in 32.
  __m256i total[kLeft][4];
  for (auto& row : total) std::fill_n(row, 4, zero);
  for (std::size_t start = 0; start < columns; start += kCoarseStretch) {
    __m256i part[kLeft][2];
    for (auto& row : part) row[0] = row[1] = zero;
    const std::size_t end = std::min(columns, start + kCoarseStretch);
    for (std::size_t c = start; c < end; ++c) {
      const __m256i first = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q + c * kCoarseRight));
      const __m256i second = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(q + c * kCoarseRight + 16));
      for (std::size_t i = 0; i < kLeft; ++i) {
        const __m256i left = _mm256_set1_epi16(static_cast<short>(p[c * kLeft + i]));
        part[i][0] = _mm256_add_epi16(part[i][0], _mm256_subs_epu16(left, first));
        part[i][1] = _mm256_add_epi16(part[i][1], _mm256_subs_epu16(left, second));
      }
    }
    for (std::size_t i = 0; i < kLeft; ++i)
      for (std::size_t half = 0; half < 2; ++half) {
        const __m256i low = _mm256_cvtepu16_epi32(_mm256_castsi256_si128(part[i][half]));
        const __m256i high = _mm256_cvtepu16_epi32(_mm256_extracti128_si256(part[i][half], 1));
        total[i][2 * half] = _mm256_add_epi32(total[i][2 * half], low);
        total[i][2 * half + 1] = _mm256_add_epi32(total[i][2 * half + 1], high);
      }
  }
  __m256i largest = zero;
  for (std::size_t i = 0; i < kLeft; ++i)
    for (std::size_t k = 0; k < 4; ++k) {
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(sums[i] + 8 * k), total[i][k]);
      largest = _mm256_max_epu32(largest, total[i][k]);
    }
  std::uint32_t lanes[8];
  _mm256_storeu_si256(reinterpret_cast<__m256i*>(lanes), largest);
  return *std::max_element(lanes, lanes + 8);
}

__attribute__((target("avx2"))) double avx2_sum(const double* p, const double* q, double g, std::size_t columns) {
  const __m256d zero = _mm256_setzero_pd();
  const __m256d factor = _mm256_set1_pd(g);
  __m256d part[4] = {zero, zero, zero, zero};
  std::size_t c = 0;
  for (; c + 16 <= columns; c += 16)
    for (std::size_t k = 0; k < 4; ++k) {
      const __m256d scaled = _mm256_mul_pd(factor, _mm256_loadu_pd(q + c + 4 * k));
      const __m256d difference = _mm256_sub_pd(_mm256_loadu_pd(p + c + 4 * k), scaled);
      part[k] = _mm256_add_pd(part[k], _mm256_max_pd(difference, zero));
    }
  double lanes[4];
  _mm256_storeu_pd(lanes, _mm256_add_pd(_mm256_add_pd(part[0], part[1]), _mm256_add_pd(part[2], part[3])));
  return ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + portable_sum(p + c, q + c, g, columns - c);
}

bool has_avx2() {
  static const bool has = __builtin_cpu_supports("avx2") != 0;
  return has;
}

#endif

}  // namespace

float positive_parts_tile(const float* p, const float* q, std::size_t columns, float sums[kLeft][kRight]) {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_tile(p, q, columns, sums);
#endif
  return portable_tile(p, q, columns, sums);
}

std::uint32_t coarse_parts_tile(const std::uint16_t* p, const std::uint16_t* q, std::size_t columns,
                                std::uint32_t sums[kLeft][kCoarseRight]) {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_coarse_tile(p, q, columns, sums);
#endif
  return portable_coarse_tile(p, q, columns, sums);
}

double tile_error(std::size_t columns) {
  // One rounding per difference, one per addition within a stretch, one per stretch; (1 - u)^k >= 1 - k u.
  const std::size_t roundings = 1 + std::min(columns, kStretch) + (columns + kStretch - 1) / kStretch;
  return static_cast<double>(roundings) * 0x1p-24;
}

double positive_part_sum(const double* p, const double* q, double g, std::size_t columns) {
#if defined(__x86_64__)
  if (has_avx2()) return avx2_sum(p, q, g, columns);
#endif
  return portable_sum(p, q, g, columns);
}

}  // namespace doeblin::numerics
