// SPDX-License-Identifier: Apache-2.0
#include "training/batch_sequence.hpp"

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include "doeblin/iteration/record_order.hpp"
#include "support/generators.hpp"

namespace doeblin::training {
namespace {

using pipeline::NoisySgd;
using pipeline::RecordSequence;

NoisySgd run_with(double n, double batch, double epochs, RecordSequence order) {
  NoisySgd run;
  run.n = n, run.batch = batch, run.epochs = epochs, run.order = order;
  return run;
}

// The steps that use a record, in the algorithm and in the guarantee.
RC_GTEST_PROP(BatchSequenceProperty, UsesRecordsAsTheGuaranteeSays, ()) {
  const auto n = static_cast<double>(*rc::gen::inRange(1, 30));
  const auto batch = static_cast<double>(*rc::gen::inRange(1, static_cast<int>(n) + 1));
  const auto epochs = static_cast<double>(*rc::gen::inRange(1, 4));
  const NoisySgd run = run_with(n, batch, epochs, RecordSequence::kFixed);
  BatchSequence batches(run, {});
  const RecordOrder order(static_cast<std::size_t>(n), static_cast<std::size_t>(batch), run.steps(), Bracket(1.0));
  std::vector<std::vector<std::size_t>> uses(static_cast<std::size_t>(n));
  for (std::uint64_t step = 0; step < run.steps(); ++step)
    for (const std::uint64_t record : batches.batch(step)) uses.at(record).push_back(step + 1);
  for (std::size_t record = 0; record < uses.size(); ++record) {
    std::vector<std::size_t> expected;
    for (const Use& use : order.uses(record + 1)) expected.push_back(use.step);
    RC_ASSERT(uses[record] == expected);
  }
}

TEST(BatchSequence, PermutedOrderIsAPermutationAndTheSameInEveryEpoch) {
  const NoisySgd run = run_with(12, 4, 3, RecordSequence::kPermuted);
  BatchSequence batches(run, {1, 2, 3});
  std::vector<std::vector<std::uint64_t>> epochs(3);
  for (std::uint64_t step = 0; step < run.steps(); ++step)
    for (const std::uint64_t record : batches.batch(step)) epochs[step / 3].push_back(record);
  EXPECT_EQ(std::set<std::uint64_t>(epochs[0].begin(), epochs[0].end()).size(), 12u);
  EXPECT_EQ(epochs[0], epochs[1]);
  EXPECT_EQ(epochs[0], epochs[2]);
  EXPECT_FALSE(std::is_sorted(epochs[0].begin(), epochs[0].end()));
  // The same key, the same order: a run that goes on must find its own again.
  BatchSequence again(run, {1, 2, 3});
  const auto first = again.batch(0);
  EXPECT_TRUE(std::equal(first.begin(), first.end(), epochs[0].begin()));
  BatchSequence other(run, {1, 2, 4});
  std::vector<std::uint64_t> others;
  for (std::uint64_t step = 0; step < 3; ++step)
    for (const std::uint64_t record : other.batch(step)) others.push_back(record);
  EXPECT_NE(others, epochs[0]);
}

TEST(BatchSequence, PoissonBatchesHaveTheRightRate) {
  const NoisySgd run = run_with(50, 10, 1, RecordSequence::kPoisson);
  BatchSequence batches(run, {7});
  std::vector<int> counts(50, 0);
  const int steps = 20000;
  for (int step = 0; step < steps; ++step)
    for (const std::uint64_t record : batches.batch(static_cast<std::uint64_t>(step))) ++counts[record];
  // Each count is Bin(20000, 1/5): standard deviation 57.
  for (const int count : counts) EXPECT_NEAR(count, steps / 5, 57 * 5);
  // A step has one batch, whenever it is asked for.
  const auto once = batches.batch(3);
  const std::vector<std::uint64_t> third(once.begin(), once.end());
  BatchSequence again(run, {7});
  const auto twice = again.batch(3);
  EXPECT_EQ(std::vector<std::uint64_t>(twice.begin(), twice.end()), third);
  const auto next = again.batch(4);
  EXPECT_NE(std::vector<std::uint64_t>(next.begin(), next.end()), third);
}

}  // namespace
}  // namespace doeblin::training
