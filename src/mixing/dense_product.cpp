// SPDX-License-Identifier: Apache-2.0
#include "mixing/dense_product.hpp"

#include "mixing/dense_product_body.hpp"

namespace doeblin {

#if defined(DOEBLIN_AVX2_PRODUCT)
void multiply_avx2(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
                   std::size_t columns);
#endif

void multiply(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner, std::size_t columns) {
#if defined(DOEBLIN_AVX2_PRODUCT)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (has_avx2) return multiply_avx2(a, b, c, rows, inner, columns);
#endif
  multiply_with_eigen(a, b, c, rows, inner, columns);
}

}  // namespace doeblin
