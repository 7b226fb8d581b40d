// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 and FMA. Under a name of its own, so that no template of Eigen is shared with code for any
// processor.
#define Eigen EigenForAvx2
#include "mixing/dense_product_body.hpp"

namespace doeblin {

void multiply_avx2(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
                   std::size_t columns);

void multiply_avx2(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner,
                   std::size_t columns) {
  multiply_with_eigen(a, b, c, rows, inner, columns);
}

}  // namespace doeblin
