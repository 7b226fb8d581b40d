// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/communicator.hpp"

#include <algorithm>

#include "doeblin/core/error.hpp"

namespace doeblin::training {
namespace {

class Alone : public Communicator {
 public:
  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  void gather(std::span<const double> mine, std::span<const std::size_t>, std::span<double> all) override {
    std::copy(mine.begin(), mine.end(), all.begin());
  }
  void broadcast(std::span<std::byte>) override {}
  void finish() override {}
  [[nodiscard]] bool any(bool mine) override { return mine; }
};

}  // namespace

Shard shard_of(std::size_t rank, std::size_t size) {
  require(size <= kShards, "processes", static_cast<double>(size), "at most 16");
  const std::size_t first = rank * kShards / size;
  return {first, (rank + 1) * kShards / size - first};
}

Shard shard_of(const Communicator& communicator) { return shard_of(communicator.rank(), communicator.size()); }

Communicator& alone() {
  static Alone communicator;
  return communicator;
}

}  // namespace doeblin::training
