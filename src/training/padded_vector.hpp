// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <new>
#include <span>
#include <vector>

#include "training/vector_kernels.hpp"

namespace doeblin::training {

/// For vectors that start at a multiple of 32 bytes.
template <typename T>
struct AlignedAllocator {
  using value_type = T;
  AlignedAllocator() = default;
  template <typename U>
  AlignedAllocator(const AlignedAllocator<U>&) {}  // NOLINT: containers convert allocators

  T* allocate(std::size_t count) { return static_cast<T*>(::operator new (count * sizeof(T), std::align_val_t{32})); }
  void deallocate(T* memory, std::size_t) { ::operator delete (memory, std::align_val_t{32}); }
  friend bool operator==(const AlignedAllocator&, const AlignedAllocator&) { return true; }
};

/// A vector that the kernels can work on.
class PaddedVector {
 public:
  explicit PaddedVector(std::size_t size = 0) : size_(size), values_(padded(size), 0.0) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] double* data() { return values_.data(); }
  [[nodiscard]] const double* data() const { return values_.data(); }
  [[nodiscard]] std::span<double> span() { return {values_.data(), size_}; }
  [[nodiscard]] std::span<const double> span() const { return {values_.data(), size_}; }
  double& operator[](std::size_t j) { return values_[j]; }
  double operator[](std::size_t j) const { return values_[j]; }

 private:
  std::size_t size_;
  std::vector<double, AlignedAllocator<double>> values_;
};

}  // namespace doeblin::training
