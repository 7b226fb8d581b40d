// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "doeblin/training/spill_buffer.hpp"

namespace doeblin::training {

/// Record i, counted from 0, belongs to shard i mod kShards.
inline constexpr std::size_t kShards = 16;

/// The shards first, ..., first + count - 1.
struct Shard {
  std::size_t first = 0;
  std::size_t count = kShards;

  [[nodiscard]] bool contains(std::size_t record) const { return record % kShards - first < count; }
  /// The place of a record that is contained, among those that are.
  [[nodiscard]] std::size_t place(std::size_t record) const {
    return record / kShards * count + (record % kShards - first);
  }
  /// Errors   InvalidArgument unless there is at least one shard, and all of them exist
  void validate() const;

  friend bool operator==(const Shard&, const Shard&) = default;
};

/// Coordinates that are not 0, by increasing index.
struct SparseRow {
  std::span<const std::uint32_t> indices;
  std::span<const double> values;
};

struct RecordsShape {
  std::size_t dimension = 0;
  bool is_sparse = false;
  Shard shard = {};
};

/// The numbers of records, in order. Every index is that of all records; only those of the own shards are kept, the
/// others are counted.
///
/// Layout   dense: row after row, each at a multiple of 32 bytes and followed by zeros up to a multiple of 4 numbers;
///          sparse: indices and values row after row, and where each row starts
/// row(), sparse_row(), label() and line() need contains(i), and do not check it: they are inner loops.
class Records {
 public:
  explicit Records(const RecordsShape& shape, const StorageLimits& limits = {})
      : Records(shape, std::make_shared<Storage>(limits)) {}
  /// Shares limits with others.
  Records(const RecordsShape& shape, std::shared_ptr<Storage> storage);

  /// Number of all records, n.
  [[nodiscard]] std::size_t count() const { return count_; }
  /// Number of those that are kept.
  [[nodiscard]] std::size_t kept() const { return labels_.size(); }
  [[nodiscard]] std::size_t dimension() const { return shape_.dimension; }
  [[nodiscard]] bool is_sparse() const { return shape_.is_sparse; }
  [[nodiscard]] const Shard& shard() const { return shape_.shard; }
  /// Numbers from one dense row to the next.
  [[nodiscard]] std::size_t stride() const { return stride_; }
  /// Whether any of it is in a file.
  [[nodiscard]] bool is_in_file() const;

  [[nodiscard]] bool contains(std::size_t i) const { return i < count_ && shape_.shard.contains(i); }

  /// Dense records only. The zeros after it may be read as well.
  [[nodiscard]] std::span<const double> row(std::size_t i) const {
    return {values_.data() + shape_.shard.place(i) * stride_, shape_.dimension};
  }
  /// Sparse records only.
  [[nodiscard]] SparseRow sparse_row(std::size_t i) const {
    const std::uint64_t* const start = starts_.data() + shape_.shard.place(i);
    const std::size_t length = start[1] - start[0];
    return {{indices_.data() + start[0], length}, {values_.data() + start[0], length}};
  }
  [[nodiscard]] double label(std::size_t i) const { return labels_[shape_.shard.place(i)]; }
  /// The line or row of the file that the record came from.
  [[nodiscard]] std::uint64_t line(std::size_t i) const { return lines_[shape_.shard.place(i)]; }

  /// Adds a dense record.
  void append(std::span<const double> row, double label, std::uint64_t line);
  /// Adds a sparse record.
  void append(const SparseRow& row, double label, std::uint64_t line);

 private:
  RecordsShape shape_;
  std::size_t stride_;
  std::size_t count_ = 0;
  SpillBuffer<double> values_;
  SpillBuffer<double> labels_;
  SpillBuffer<std::uint64_t> lines_;
  SpillBuffer<std::uint32_t> indices_;
  SpillBuffer<std::uint64_t> starts_;
};

}  // namespace doeblin::training
