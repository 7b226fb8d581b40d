// SPDX-License-Identifier: Apache-2.0
#include "training/batch_sequence.hpp"

#include <sodium.h>

#include "doeblin/sampling/subsample.hpp"

namespace doeblin::training {

using pipeline::RecordSequence;

BatchSequence::BatchSequence(const pipeline::NoisySgd& run, const sampling::RandomStream::Key& key)
    : order_(run.order),
      records_(static_cast<std::uint64_t>(run.n)),
      size_(static_cast<std::uint64_t>(run.batch)),
      rate_(run.batch / run.n),
      key_(key) {
  if (order_ != RecordSequence::kPermuted) return;
  sampling::RandomStream random(key);
  permutation_ = sampling::random_order(random, records_);
}

// A key for every step: the hash of its number under the key of the run.
sampling::RandomStream::Key BatchSequence::key_of(std::uint64_t step) const {
  sampling::RandomStream::Key key;
  crypto_generichash(key.data(), key.size(), reinterpret_cast<const unsigned char*>(&step), sizeof(step), key_.data(),
                     key_.size());
  return key;
}

std::span<const std::uint64_t> BatchSequence::batch(std::uint64_t step) {
  if (order_ == RecordSequence::kPoisson) {
    sampling::RandomStream random(key_of(step));
    batch_ = sampling::poisson_subsample(random, records_, rate_);
    return batch_;
  }
  batch_.resize(size_);
  std::uint64_t place = step * size_ % records_;
  for (std::uint64_t& record : batch_) {
    record = permutation_.empty() ? place : permutation_[place];
    if (++place == records_) place = 0;
  }
  return batch_;
}

}  // namespace doeblin::training
