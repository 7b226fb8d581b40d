// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "doeblin/training/communicator.hpp"
#include "doeblin/training/loss.hpp"
#include "doeblin/training/records.hpp"
#include "training/padded_vector.hpp"

namespace doeblin::training {

/// The sum of the gradients of a batch, spread over the ranks.
///
/// Method   one sum for every shard of the records, in the order of the batch, then a binary tree over the shards that
///          is the same however many ranks there are: a rank adds up the branches that are its own, the others are
///          exchanged. The result has the same bits on every rank, for every number of ranks.
/// Cost     O(batch d / ranks), and 2 log2(16) vectors of exchange at most
class GradientSum {
 public:
  /// `positive`: the class against the rest; empty when labels are -1 and 1, or numbers.
  GradientSum(const Records& records, const Loss& loss, std::optional<double> positive, Communicator& communicator);

  /// sum_i l'(<w, x_i>, y_i) x_i over the batch; holds until the next call.
  [[nodiscard]] std::span<const double> over(std::span<const std::uint64_t> batch, const PaddedVector& w);

 private:
  void add(std::uint64_t record, const PaddedVector& w);
  void combine(const Shard& within);
  void exchange();
  [[nodiscard]] double label(std::uint64_t record) const;

  const Records& records_;
  Loss loss_;
  std::optional<double> positive_;
  Communicator& communicator_;
  std::size_t stride_;
  PaddedVector sums_;
  std::array<bool, kShards> is_present_{};
  /// The branches that each rank adds up by itself: their first shards.
  std::vector<std::vector<std::size_t>> branches_;
  std::vector<std::size_t> lengths_;
  std::vector<double> mine_;
  std::vector<double> all_;
};

}  // namespace doeblin::training
