// SPDX-License-Identifier: Apache-2.0
// Compiled for AVX2 and fused products, which round once less.
#include "training/vector_kernels_body.hpp"

namespace doeblin::training {

const VectorKernels& vector_kernels_avx2();

const VectorKernels& vector_kernels_avx2() { return kKernels; }

}  // namespace doeblin::training
