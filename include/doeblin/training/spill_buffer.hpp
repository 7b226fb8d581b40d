// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

/// Arrays that may be larger than memory.
namespace doeblin::training {

struct StorageLimits {
  /// Bytes that buffers may take in memory, all together; what does not fit goes to a file.
  std::uint64_t memory = std::uint64_t{4} << 30;
  /// The folder of that file; empty: $TMPDIR, or /tmp.
  std::string scratch = {};
};

/// What buffers share: their limits, and how much of the memory is taken. Used by one thread at a time.
struct Storage {
  explicit Storage(StorageLimits chosen) : limits(std::move(chosen)) {}
  StorageLimits limits;
  std::uint64_t in_memory = 0;
};

/// Bytes that keep their values as they become more: in memory while the limit allows, then in a file without a name,
/// of which a killed process leaves nothing. Starts at the beginning of a page.
class SpillBytes {
 public:
  explicit SpillBytes(std::shared_ptr<Storage> storage) : storage_(std::move(storage)) {}
  SpillBytes(SpillBytes&& other) noexcept;
  SpillBytes& operator=(SpillBytes&& other) noexcept;
  ~SpillBytes();

  [[nodiscard]] std::byte* data() const { return data_; }
  [[nodiscard]] std::size_t capacity() const { return capacity_; }
  [[nodiscard]] bool is_in_file() const { return descriptor_ >= 0; }

  /// Makes room for at least so many bytes; new ones are 0. What is there may move.
  /// Errors   InvalidArgument when the memory or the disk is full
  void reserve(std::size_t bytes);

 private:
  [[nodiscard]] bool grow_in_memory(std::size_t bytes);
  void move_to_file(std::size_t bytes);
  void grow_in_file(std::size_t bytes);

  std::shared_ptr<Storage> storage_;
  std::byte* data_ = nullptr;
  std::size_t capacity_ = 0;
  int descriptor_ = -1;
};

/// An array of numbers that grows at its end. Moved, never copied.
template <typename T>
class SpillBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit SpillBuffer(std::shared_ptr<Storage> storage) : bytes_(std::move(storage)) {}

  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] const T* data() const { return reinterpret_cast<const T*>(bytes_.data()); }
  [[nodiscard]] const T& operator[](std::size_t i) const { return data()[i]; }
  [[nodiscard]] bool is_in_file() const { return bytes_.is_in_file(); }

  void push_back(const T& value) { append({&value, 1}); }
  void append(std::span<const T> values) { std::copy(values.begin(), values.end(), extend(values.size())); }
  /// Adds zeros.
  void append_zeros(std::size_t count) { static_cast<void>(extend(count)); }

 private:
  // The first of `count` more values, which are 0.
  T* extend(std::size_t count) {
    if ((size_ + count) * sizeof(T) > bytes_.capacity()) bytes_.reserve((size_ + count) * sizeof(T));
    T* const end = reinterpret_cast<T*>(bytes_.data()) + size_;
    size_ += count;
    return end;
  }

  SpillBytes bytes_;
  std::size_t size_ = 0;
};

}  // namespace doeblin::training
