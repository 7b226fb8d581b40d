// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "training/vector_kernels.hpp"

// Compiled once for every kind of processor; nothing in here may be shared between them.
namespace doeblin::training {
namespace {

using Four = double __attribute__((vector_size(32), may_alias));

double dot_of(const double* x, const double* w, std::size_t size) {
  const auto* a = reinterpret_cast<const Four*>(x);
  const auto* b = reinterpret_cast<const Four*>(w);
  const std::size_t count = size / kPadding;
  Four s0{}, s1{}, s2{}, s3{};
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    s0 += a[k] * b[k];
    s1 += a[k + 1] * b[k + 1];
    s2 += a[k + 2] * b[k + 2];
    s3 += a[k + 3] * b[k + 3];
  }
  for (; k < count; ++k) s0 += a[k] * b[k];
  const Four s = (s0 + s1) + (s2 + s3);
  return (s[0] + s[1]) + (s[2] + s[3]);
}

void scale_by(double a, const double* x, double* sum, std::size_t size) {
  const auto* from = reinterpret_cast<const Four*>(x);
  auto* to = reinterpret_cast<Four*>(sum);
  for (std::size_t k = 0; k < size / kPadding; ++k) to[k] = a * from[k];
}

void add_scaled_by(double a, const double* x, double* sum, std::size_t size) {
  const auto* from = reinterpret_cast<const Four*>(x);
  auto* to = reinterpret_cast<Four*>(sum);
  for (std::size_t k = 0; k < size / kPadding; ++k) to[k] += a * from[k];
}

constexpr VectorKernels kKernels{dot_of, scale_by, add_scaled_by};

}  // namespace
}  // namespace doeblin::training
