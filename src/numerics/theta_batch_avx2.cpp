// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 and FMA where the compiler has them; theta_batch.cpp asks the processor before it calls.
#include "numerics/theta_batch_kernel.hpp"

#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>

#include <cstdint>

namespace doeblin::numerics::kernel {
namespace {

constexpr std::size_t kBlock = 128;

// Where a block's epsilons lie: y in their cells, its fourth power, and which row of coefficients is theirs.
struct Places {
  alignas(32) double y[kBlock];
  alignas(32) double fourth[kBlock];
  alignas(16) std::int32_t row[kBlock];
  bool some_tiny;
};

struct Ends {
  __m256d lower, upper;
};

// Apart from the polynomials, so that the many steps from epsilon to a row do not hold up their loads.
inline void find_places(const ThetaCells& cells, const double* epsilon, std::size_t count, Places& places) {
  __m256d greatest = _mm256_setzero_pd();
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256d inside = _mm256_max_pd(_mm256_min_pd(_mm256_loadu_pd(epsilon + i), _mm256_set1_pd(cells.greatest)),
                                         _mm256_set1_pd(cells.least));
    greatest = _mm256_max_pd(greatest, inside);
    const __m256d k = _mm256_round_pd(_mm256_mul_pd(inside, _mm256_set1_pd(cells.inverse_width)),
                                      _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
    const __m256d offset = _mm256_fnmadd_pd(k, _mm256_set1_pd(cells.width), inside);
    const __m256d y = _mm256_mul_pd(offset, _mm256_set1_pd(2.0 * cells.inverse_width));
    const __m256d square = _mm256_mul_pd(y, y);
    _mm256_store_pd(places.y + i, y);
    _mm256_store_pd(places.fourth + i, _mm256_mul_pd(square, square));
    _mm_store_si128(reinterpret_cast<__m128i*>(places.row + i),
                    _mm256_cvtpd_epi32(_mm256_sub_pd(k, _mm256_set1_pd(cells.first))));
  }
  const __m256d is_tiny = _mm256_cmp_pd(greatest, _mm256_set1_pd(cells.tiny_from), _CMP_GE_OQ);
  places.some_tiny = _mm256_movemask_pd(is_tiny) != 0;
}

// Coefficients 0 to 3 of the cubic that is left of one polynomial when y^4 has a value.
inline __m256d cubic(const ThetaCells& cells, std::int32_t row, const double* fourth) {
  const double* const c = cells.coefficients + static_cast<std::ptrdiff_t>(row) * kCellCoefficients;
  const __m256d y4 = _mm256_broadcast_sd(fourth);
  return _mm256_fmadd_pd(_mm256_fmadd_pd(_mm256_load_pd(c + 8), y4, _mm256_load_pd(c + 4)), y4, _mm256_load_pd(c));
}

// 2^1000 theta at places i to i + 3. Term n of the sum is off by at most (n + 2) u of itself: y^4 carries 3 u.
inline __m256d four_values(const ThetaCells& cells, const Places& places, std::size_t i) {
  static_assert(kCellCoefficients == 12);
  const __m256d a = cubic(cells, places.row[i], places.fourth + i);
  const __m256d b = cubic(cells, places.row[i + 1], places.fourth + i + 1);
  const __m256d c = cubic(cells, places.row[i + 2], places.fourth + i + 2);
  const __m256d d = cubic(cells, places.row[i + 3], places.fourth + i + 3);
  const __m256d ab02 = _mm256_unpacklo_pd(a, b);
  const __m256d ab13 = _mm256_unpackhi_pd(a, b);
  const __m256d cd02 = _mm256_unpacklo_pd(c, d);
  const __m256d cd13 = _mm256_unpackhi_pd(c, d);
  const __m256d y = _mm256_load_pd(places.y + i);
  __m256d sum = _mm256_permute2f128_pd(ab13, cd13, 0x31);
  sum = _mm256_fmadd_pd(sum, y, _mm256_permute2f128_pd(ab02, cd02, 0x31));
  sum = _mm256_fmadd_pd(sum, y, _mm256_permute2f128_pd(ab13, cd13, 0x20));
  return _mm256_fmadd_pd(sum, y, _mm256_permute2f128_pd(ab02, cd02, 0x20));
}

inline Ends normal_ends(const ThetaCells& cells, __m256d value) {
  return {_mm256_mul_pd(value, _mm256_set1_pd(cells.low * 0x1p-1000)),
          _mm256_min_pd(_mm256_mul_pd(value, _mm256_set1_pd(cells.high * 0x1p-1000)), _mm256_set1_pd(1.0))};
}

// The double that is `units` of the smallest one, for an integer up to 2^52; without an operation that underflows,
// which would be slow.
inline __m256d from_units(__m256d units) {
  const __m256d magic = _mm256_set1_pd(0x1p52);
  return _mm256_castsi256_pd(
      _mm256_sub_epi64(_mm256_castpd_si256(_mm256_add_pd(units, magic)), _mm256_castpd_si256(magic)));
}

// For values below the normal doubles too: those count units of the smallest double, rounded outward.
inline Ends tiny_ends(const ThetaCells& cells, __m256d epsilon, __m256d value) {
  const __m256d is_tiny = _mm256_cmp_pd(value, _mm256_set1_pd(kTinyValue), _CMP_LT_OQ);
  const Ends normal = normal_ends(cells, _mm256_blendv_pd(value, _mm256_set1_pd(1.0), is_tiny));
  const __m256d units_low = _mm256_floor_pd(_mm256_mul_pd(value, _mm256_set1_pd(cells.low * 0x1p74)));
  const __m256d units_high =
      _mm256_max_pd(_mm256_ceil_pd(_mm256_mul_pd(value, _mm256_set1_pd(cells.high * 0x1p74))), _mm256_set1_pd(1.0));
  const __m256d is_infinite = _mm256_cmp_pd(epsilon, _mm256_set1_pd(__builtin_inf()), _CMP_EQ_OQ);
  return {_mm256_blendv_pd(normal.lower, from_units(units_low), is_tiny),
          _mm256_andnot_pd(is_infinite, _mm256_blendv_pd(normal.upper, from_units(units_high), is_tiny))};
}

// Both kinds of values without a branch on each four, which random epsilons would make unpredictable.
template <bool kSomeTiny>
inline void theta_at(const ThetaCells& cells, const Places& places, const double* epsilon, double* lower, double* upper,
                     std::size_t count) {
  for (std::size_t i = 0; i < count; i += 4) {
    const __m256d value = four_values(cells, places, i);
    const Ends ends = kSomeTiny ? tiny_ends(cells, _mm256_loadu_pd(epsilon + i), value) : normal_ends(cells, value);
    _mm256_storeu_pd(lower + i, ends.lower);
    _mm256_storeu_pd(upper + i, ends.upper);
  }
}

inline void theta_block(const ThetaCells& cells, const double* epsilon, double* lower, double* upper,
                        std::size_t count) {
  Places places;
  find_places(cells, epsilon, count, places);
  if (places.some_tiny)
    theta_at<true>(cells, places, epsilon, lower, upper, count);
  else
    theta_at<false>(cells, places, epsilon, lower, upper, count);
}

}  // namespace

EpsilonRange epsilon_range_avx2(const double* epsilon, std::size_t count) {
  __m256d least = _mm256_set1_pd(epsilon[0]);
  __m256d greatest = least;
  __m256d is_valid = _mm256_cmp_pd(least, _mm256_setzero_pd(), _CMP_GE_OQ);
  const auto take = [&](__m256d x) {
    least = _mm256_min_pd(least, x);
    greatest = _mm256_max_pd(greatest, x);
    is_valid = _mm256_and_pd(is_valid, _mm256_cmp_pd(x, _mm256_setzero_pd(), _CMP_GE_OQ));
  };
  std::size_t i = 0;
  for (; i + 4 <= count; i += 4) take(_mm256_loadu_pd(epsilon + i));
  for (; i < count; ++i) take(_mm256_set1_pd(epsilon[i]));
  alignas(32) double low[4];
  alignas(32) double high[4];
  _mm256_store_pd(low, least);
  _mm256_store_pd(high, greatest);
  EpsilonRange range{low[0], high[0], _mm256_movemask_pd(is_valid) == 15};
  for (int lane = 1; lane < 4; ++lane) {
    range.least = low[lane] < range.least ? low[lane] : range.least;
    range.greatest = high[lane] > range.greatest ? high[lane] : range.greatest;
  }
  return range;
}

void theta_avx2(const ThetaCells& cells, const double* epsilon, double* lower, double* upper, std::size_t count) {
  // A copy that no store can alias.
  const ThetaCells local = cells;
  const std::size_t whole = count - count % 4;
  for (std::size_t i = 0; i < whole; i += kBlock)
    theta_block(local, epsilon + i, lower + i, upper + i, whole - i < kBlock ? whole - i : kBlock);
  for (std::size_t i = whole; i < count; ++i) {
    const double same[4] = {epsilon[i], epsilon[i], epsilon[i], epsilon[i]};
    double low[4];
    double high[4];
    theta_block(local, same, low, high, 4);
    lower[i] = low[0];
    upper[i] = high[0];
  }
}

}  // namespace doeblin::numerics::kernel
#endif
