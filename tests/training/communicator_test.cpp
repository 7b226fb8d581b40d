// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/communicator.hpp"

#include <vector>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"

namespace doeblin::training {
namespace {

TEST(Communicator, SharesOutAllShards) {
  EXPECT_THROW(static_cast<void>(shard_of(0, 17)), InvalidArgument);
  std::size_t next = 0;
  for (std::size_t rank = 0; rank < 5; ++rank) {
    const Shard shard = shard_of(rank, 5);
    EXPECT_EQ(shard.first, next);
    next += shard.count;
  }
  EXPECT_EQ(next, kShards);
}

TEST(Communicator, ASingleProcessTalksToItself) {
  Communicator& nobody_else = alone();
  EXPECT_EQ(nobody_else.size(), 1u);
  EXPECT_EQ(shard_of(nobody_else), Shard{});
  const std::vector<double> mine{1.0, 2.0};
  const std::vector<std::size_t> lengths{2};
  std::vector<double> all(2);
  nobody_else.gather(mine, lengths, all);
  EXPECT_EQ(all, mine);
  EXPECT_TRUE(nobody_else.any(true));
  EXPECT_FALSE(nobody_else.any(false));
}

}  // namespace
}  // namespace doeblin::training
