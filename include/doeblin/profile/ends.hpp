// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>

namespace doeblin {

/// Something that holds for all neighbours: its upper ends count.
template <typename T>
class Dominating {
 public:
  explicit Dominating(T value) : value_(std::move(value)) {}
  [[nodiscard]] const T& operator*() const { return value_; }
  [[nodiscard]] const T* operator->() const { return &value_; }

 private:
  T value_;
};

/// Something that some neighbours have: its lower ends count.
template <typename T>
class Attained {
 public:
  explicit Attained(T value) : value_(std::move(value)) {}
  [[nodiscard]] const T& operator*() const { return value_; }
  [[nodiscard]] const T* operator->() const { return &value_; }

 private:
  T value_;
};

}  // namespace doeblin
