// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/records.hpp"

#include <utility>

#include "doeblin/core/error.hpp"

namespace doeblin::training {
namespace {

// Doubles that a vector register of 32 bytes holds.
constexpr std::size_t kLanes = 4;

}  // namespace

void Shard::validate() const {
  require(first < kShards, "shard", static_cast<double>(first), "0 <= shard < 16");
  require(count >= 1 && count <= kShards - first, "shards", static_cast<double>(count),
          "at least one, and the last of them below 16");
}

Records::Records(const RecordsShape& shape, std::shared_ptr<Storage> storage)
    : shape_(shape),
      stride_((shape.dimension + kLanes - 1) / kLanes * kLanes),
      values_(storage),
      labels_(storage),
      lines_(storage),
      indices_(storage),
      starts_(std::move(storage)) {
  shape.shard.validate();
  if (shape.is_sparse) starts_.push_back(0);
}

bool Records::is_in_file() const {
  return values_.is_in_file() || labels_.is_in_file() || lines_.is_in_file() || indices_.is_in_file() ||
         starts_.is_in_file();
}

void Records::append(std::span<const double> row, double label, std::uint64_t line) {
  ensure(!shape_.is_sparse && row.size() == shape_.dimension, "a dense row of the dimension of the records");
  if (!shape_.shard.contains(count_++)) return;
  values_.append(row);
  values_.append_zeros(stride_ - row.size());
  labels_.push_back(label);
  lines_.push_back(line);
}

void Records::append(const SparseRow& row, double label, std::uint64_t line) {
  ensure(shape_.is_sparse && row.indices.size() == row.values.size(), "a sparse row with a value for each index");
  if (!shape_.shard.contains(count_++)) return;
  indices_.append(row.indices);
  values_.append(row.values);
  starts_.push_back(values_.size());
  labels_.push_back(label);
  lines_.push_back(line);
}

}  // namespace doeblin::training
