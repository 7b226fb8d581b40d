// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/records.hpp"

#include <array>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include "doeblin/core/error.hpp"
#include "support/temporary_file.hpp"

namespace doeblin::training {
namespace {

using test::message_of;

double value(std::size_t record, std::size_t coordinate) {
  return static_cast<double>(record) + 0.001 * static_cast<double>(coordinate);
}

void append_dense(Records& records, std::size_t count) {
  std::vector<double> row(records.dimension());
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < row.size(); ++j) row[j] = value(i, j);
    records.append(row, static_cast<double>(i) / 2.0, 10 + i);
  }
}

// Record i has i mod 5 coordinates that are not 0.
void append_sparse(Records& records, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<std::uint32_t> indices;
    std::vector<double> values;
    for (std::size_t j = 0; j < i % 5; ++j) {
      indices.push_back(static_cast<std::uint32_t>(7 * j + i % 3));
      values.push_back(value(i, j));
    }
    records.append(SparseRow{indices, values}, -1.0, 10 + i);
  }
}

void expect_dense(const Records& records, std::size_t count) {
  ASSERT_EQ(records.count(), count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!records.contains(i)) continue;
    const auto row = records.row(i);
    ASSERT_EQ(row.size(), records.dimension());
    for (std::size_t j = 0; j < records.stride(); ++j)
      ASSERT_EQ(row.data()[j], j < row.size() ? value(i, j) : 0.0) << i << " " << j;
    ASSERT_EQ(reinterpret_cast<std::uintptr_t>(row.data()) % 32, 0u);
    ASSERT_EQ(records.label(i), static_cast<double>(i) / 2.0);
    ASSERT_EQ(records.line(i), 10 + i);
  }
}

void expect_sparse(const Records& records, std::size_t count) {
  ASSERT_EQ(records.count(), count);
  for (std::size_t i = 0; i < count; ++i) {
    if (!records.contains(i)) continue;
    const SparseRow row = records.sparse_row(i);
    ASSERT_EQ(row.indices.size(), i % 5);
    ASSERT_EQ(row.values.size(), i % 5);
    for (std::size_t j = 0; j < i % 5; ++j) {
      ASSERT_EQ(row.indices[j], 7 * j + i % 3);
      ASSERT_EQ(row.values[j], value(i, j));
    }
    ASSERT_EQ(records.label(i), -1.0);
    ASSERT_EQ(records.line(i), 10 + i);
  }
}

TEST(Records, KeepsDenseRows) {
  for (const std::size_t dimension : {0u, 1u, 2u, 3u, 4u, 5u, 57u}) {
    Records records({.dimension = dimension});
    EXPECT_EQ(records.count(), 0u);
    EXPECT_FALSE(records.contains(0));
    append_dense(records, 100);
    EXPECT_EQ(records.stride() % 4, 0u);
    EXPECT_LT(records.stride(), dimension + 4);
    EXPECT_EQ(records.kept(), 100u);
    EXPECT_TRUE(records.contains(99));
    EXPECT_FALSE(records.contains(100));
    expect_dense(records, 100);
  }
}

TEST(Records, KeepsSparseRows) {
  Records records({.dimension = 40, .is_sparse = true});
  append_sparse(records, 1000);
  EXPECT_EQ(records.kept(), 1000u);
  EXPECT_TRUE(records.is_sparse());
  expect_sparse(records, 1000);
}

TEST(Records, AFileHoldsTheSameAsMemory) {
  for (const std::uint64_t memory : {std::uint64_t{0}, std::uint64_t{10'000}, std::uint64_t{1'000'000}}) {
    Records dense({.dimension = 11}, {.memory = memory});
    append_dense(dense, 20'000);
    EXPECT_TRUE(dense.is_in_file());
    expect_dense(dense, 20'000);
    Records sparse({.dimension = 40, .is_sparse = true}, {.memory = memory});
    append_sparse(sparse, 60'000);
    EXPECT_TRUE(sparse.is_in_file());
    expect_sparse(sparse, 60'000);
    const Records moved = std::move(sparse);
    expect_sparse(moved, 60'000);
  }
  Records small({.dimension = 11});
  append_dense(small, 1000);
  EXPECT_FALSE(small.is_in_file());
}

TEST(Records, ShardsPartitionAllRecords) {
  for (std::size_t count = 1; count <= kShards; ++count)
    for (const std::size_t total : {1u, 5u, 16u, 17u, 100u}) {
      std::vector<int> owners(total, 0);
      std::size_t kept = 0;
      for (std::size_t first = 0; first < kShards; first += count) {
        const Shard shard{first, std::min(count, kShards - first)};
        Records dense({.dimension = 3, .shard = shard});
        append_dense(dense, total);
        expect_dense(dense, total);
        Records sparse({.dimension = 40, .is_sparse = true, .shard = shard});
        append_sparse(sparse, total);
        expect_sparse(sparse, total);
        EXPECT_EQ(dense.kept(), sparse.kept());
        kept += dense.kept();
        for (std::size_t i = 0; i < total; ++i) {
          EXPECT_EQ(dense.contains(i), i % kShards >= first && i % kShards < first + count);
          owners[i] += dense.contains(i) ? 1 : 0;
        }
      }
      EXPECT_EQ(kept, total);
      EXPECT_EQ(owners, std::vector<int>(total, 1)) << count << " shards together";
    }
}

TEST(Records, RefusesShardsThatDoNotExist) {
  const auto refusal = [](Shard shard) { return message_of<InvalidArgument>([&] { Records({.shard = shard}); }); };
  EXPECT_EQ(refusal({16, 1}), "shard = 16, need 0 <= shard < 16");
  EXPECT_EQ(refusal({0, 0}), "shards = 0, need at least one, and the last of them below 16");
  EXPECT_EQ(refusal({8, 9}), "shards = 9, need at least one, and the last of them below 16");
  EXPECT_EQ(refusal({0, 17}), "shards = 17, need at least one, and the last of them below 16");
  EXPECT_EQ(refusal({15, 1}), "nothing was thrown");
}

TEST(Records, RefusesRowsOfAnotherShape) {
  Records dense({.dimension = 3});
  const std::array<double, 2> two = {1.0, 2.0};
  const std::array<std::uint32_t, 1> one = {0};
  EXPECT_THROW(dense.append(two, 0.0, 1), InternalError);
  EXPECT_THROW(dense.append(SparseRow{}, 0.0, 1), InternalError);
  Records sparse({.dimension = 3, .is_sparse = true});
  EXPECT_THROW(sparse.append(two, 0.0, 1), InternalError);
  EXPECT_THROW(sparse.append(SparseRow{one, two}, 0.0, 1), InternalError);
}

}  // namespace
}  // namespace doeblin::training
