// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

namespace doeblin::training {

/// Vectors are padded with zeros to a multiple of this many doubles, and start at a multiple of 32 bytes.
inline constexpr std::size_t kPadding = 4;

[[nodiscard]] inline std::size_t padded(std::size_t dimension) {
  return (dimension + kPadding - 1) / kPadding * kPadding;
}

/// An inner product is made of so many sums.
inline constexpr std::size_t kDotSums = 16;

/// The inner loops of a gradient, for padded vectors of `size` doubles.
struct VectorKernels {
  /// <x, w> as sixteen sums that are added in the end: at most size/16 + 8 roundings on the way of any product.
  double (*dot)(const double* x, const double* w, std::size_t size);
  /// sum = a x
  void (*scale)(double a, const double* x, double* sum, std::size_t size);
  /// sum += a x
  void (*add_scaled)(double a, const double* x, double* sum, std::size_t size);
};

/// The ones for this processor.
[[nodiscard]] const VectorKernels& vector_kernels();

}  // namespace doeblin::training
