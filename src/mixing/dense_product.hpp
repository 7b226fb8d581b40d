// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace doeblin {

/// c = a b for row-major matrices: a is rows x inner, b is inner x columns.
///
/// Bound    for non-negative entries every sum is within (inner + 1) 2^-53, relatively, in whatever order and whether or
///          not products are fused with additions
/// Same     bits wherever the matrices lie in memory
/// Method   Eigen, with AVX2 where the processor has it
void multiply(const double* a, const double* b, double* c, std::size_t rows, std::size_t inner, std::size_t columns);

}  // namespace doeblin
