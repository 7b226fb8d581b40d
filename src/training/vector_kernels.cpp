// SPDX-License-Identifier: Apache-2.0
#include "training/vector_kernels.hpp"

#include "training/vector_kernels_body.hpp"

namespace doeblin::training {

#if defined(DOEBLIN_AVX2_VECTORS)
const VectorKernels& vector_kernels_avx2();
#endif

const VectorKernels& vector_kernels() {
#if defined(DOEBLIN_AVX2_VECTORS)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0;
  if (has_avx2) return vector_kernels_avx2();
#endif
  return kKernels;
}

}  // namespace doeblin::training
