// SPDX-License-Identifier: Apache-2.0
#include "training/gradient_sum.hpp"

#include <algorithm>

#include "doeblin/core/error.hpp"

namespace doeblin::training {
namespace {

bool holds(const Shard& shard, std::size_t first, std::size_t count) {
  return first >= shard.first && first + count <= shard.first + shard.count;
}

// The first shards of the largest branches of the tree that lie within the rank's own.
std::vector<std::size_t> branches_within(const Shard& shard) {
  std::vector<std::size_t> branches;
  for (std::size_t first = shard.first; first < shard.first + shard.count;) {
    std::size_t width = 1;
    while (width < kShards && first % (2 * width) == 0 && holds(shard, first, 2 * width)) width *= 2;
    branches.push_back(first);
    first += width;
  }
  return branches;
}

}  // namespace

GradientSum::GradientSum(const Records& records, const Loss& loss, std::optional<double> positive,
                         Communicator& communicator)
    : records_(records),
      loss_(loss),
      positive_(positive),
      communicator_(communicator),
      stride_(padded(records.dimension())),
      sums_(kShards * stride_) {
  if (communicator.size() == 1) return;
  for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
    branches_.push_back(branches_within(shard_of(rank, communicator.size())));
    lengths_.push_back(branches_.back().size() * (stride_ + 1));
    all_.resize(all_.size() + lengths_.back());
  }
  mine_.resize(lengths_[communicator.rank()]);
}

double GradientSum::label(std::uint64_t record) const {
  const double label = records_.label(record);
  return positive_ ? (label == *positive_ ? 1.0 : -1.0) : label;
}

void GradientSum::add(std::uint64_t record, const PaddedVector& w) {
  const std::size_t shard = record % kShards;
  double* sum = sums_.data() + shard * stride_;
  if (records_.is_sparse()) {
    const SparseRow row = records_.sparse_row(record);
    double prediction = 0.0;
    for (std::size_t k = 0; k < row.indices.size(); ++k) prediction += row.values[k] * w[row.indices[k]];
    const double slope = loss_.derivative(prediction, label(record));
    if (!is_present_[shard]) std::fill_n(sum, stride_, 0.0);
    for (std::size_t k = 0; k < row.indices.size(); ++k) sum[row.indices[k]] += slope * row.values[k];
  } else {
    const VectorKernels& kernels = vector_kernels();
    const double* row = records_.row(record).data();
    const double slope = loss_.derivative(kernels.dot(row, w.data(), stride_), label(record));
    (is_present_[shard] ? kernels.add_scaled : kernels.scale)(slope, row, sum, stride_);
  }
  is_present_[shard] = true;
}

// Adds up every two neighbouring branches within the shards; the sum lives on in the left one.
void GradientSum::combine(const Shard& within) {
  for (std::size_t width = 1; width < kShards; width *= 2)
    for (std::size_t left = 0; left < kShards; left += 2 * width) {
      const std::size_t right = left + width;
      if (!is_present_[right] || !holds(within, left, 2 * width)) continue;
      double* to = sums_.data() + left * stride_;
      const double* from = sums_.data() + right * stride_;
      (is_present_[left] ? vector_kernels().add_scaled : vector_kernels().scale)(1.0, from, to, stride_);
      is_present_[left] = true;
      is_present_[right] = false;
    }
}

// After this every rank has all branches.
void GradientSum::exchange() {
  combine(shard_of(communicator_.rank(), communicator_.size()));
  double* out = mine_.data();
  for (const std::size_t branch : branches_[communicator_.rank()]) {
    *out = is_present_[branch] ? 1.0 : 0.0;
    if (is_present_[branch]) std::copy_n(sums_.data() + branch * stride_, stride_, out + 1);
    out += stride_ + 1;
  }
  communicator_.gather(mine_, lengths_, all_);
  is_present_.fill(false);
  const double* in = all_.data();
  for (const auto& branches : branches_)
    for (const std::size_t branch : branches) {
      is_present_[branch] = *in == 1.0;
      if (is_present_[branch]) std::copy_n(in + 1, stride_, sums_.data() + branch * stride_);
      in += stride_ + 1;
    }
}

std::span<const double> GradientSum::over(std::span<const std::uint64_t> batch, const PaddedVector& w) {
  is_present_.fill(false);
  for (const std::uint64_t record : batch)
    if (records_.contains(record)) add(record, w);
  if (communicator_.size() > 1) exchange();
  // A single sum, as of a batch of one record, is the result as it is.
  if (std::count(is_present_.begin(), is_present_.end(), true) == 1) {
    const auto only =
        static_cast<std::size_t>(std::find(is_present_.begin(), is_present_.end(), true) - is_present_.begin());
    return {sums_.data() + only * stride_, records_.dimension()};
  }
  combine({});
  if (!is_present_[0]) std::fill_n(sums_.data(), stride_, 0.0);
  return {sums_.data(), records_.dimension()};
}

}  // namespace doeblin::training
