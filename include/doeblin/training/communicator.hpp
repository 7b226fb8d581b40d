// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>

#include "doeblin/training/records.hpp"

namespace doeblin::training {

/// How the processes of one run talk to each other. Everybody calls the same functions in the same order.
class Communicator {
 public:
  virtual ~Communicator() = default;
  [[nodiscard]] virtual std::size_t rank() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// `mine` of every rank, in the order of ranks, to everybody; `lengths` says how long each is.
  virtual void gather(std::span<const double> mine, std::span<const std::size_t> lengths, std::span<double> all) = 0;
  /// What rank 0 has in `bytes`, to everybody.
  virtual void broadcast(std::span<std::byte> bytes) = 0;
  /// All ranks are done with each other; nothing may be called after it.
  virtual void finish() = 0;
  /// Whether it is so for any rank.
  [[nodiscard]] virtual bool any(bool mine) = 0;
};

/// Which shards of the records a rank keeps: as many for each, as far as they go.
/// Errors   InvalidArgument when there are more processes than shards
[[nodiscard]] Shard shard_of(const Communicator& communicator);
[[nodiscard]] Shard shard_of(std::size_t rank, std::size_t size);

/// A single process.
[[nodiscard]] Communicator& alone();

}  // namespace doeblin::training
