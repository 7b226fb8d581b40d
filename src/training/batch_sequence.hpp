// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "doeblin/iteration/noisy_sgd.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace doeblin::training {

/// Which records each step uses, counted from 0, just as the guarantee has it (RecordOrder, counted from 1 there).
class BatchSequence {
 public:
  BatchSequence(const pipeline::NoisySgd& run, const sampling::RandomStream::Key& key);

  /// The records of a step, counted from 0; holds until the next call. Always the same for a key and a step, so that
  /// all tasks, and a run that goes on, have the batches that were drawn.
  [[nodiscard]] std::span<const std::uint64_t> batch(std::uint64_t step);

 private:
  [[nodiscard]] sampling::RandomStream::Key key_of(std::uint64_t step) const;

  pipeline::RecordSequence order_;
  std::uint64_t records_;
  std::uint64_t size_;
  double rate_;
  sampling::RandomStream::Key key_;
  std::vector<std::uint64_t> permutation_;
  std::vector<std::uint64_t> batch_;
};

}  // namespace doeblin::training
