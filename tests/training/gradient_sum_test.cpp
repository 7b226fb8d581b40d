// SPDX-License-Identifier: Apache-2.0
#include "training/gradient_sum.hpp"

#include <barrier>
#include <cmath>
#include <thread>

#include <gtest/gtest.h>

#include "support/records.hpp"

namespace doeblin::training {
namespace {

__extension__ typedef __float128 Exact;

// Ranks as threads of one process.
struct Meeting {
  explicit Meeting(std::size_t size) : parts(size), barrier(static_cast<std::ptrdiff_t>(size)) {}
  std::vector<std::vector<double>> parts;
  std::barrier<> barrier;
};

class ThreadCommunicator : public Communicator {
 public:
  ThreadCommunicator(Meeting& meeting, std::size_t rank) : meeting_(meeting), rank_(rank) {}
  [[nodiscard]] std::size_t rank() const override { return rank_; }
  [[nodiscard]] std::size_t size() const override { return meeting_.parts.size(); }
  void gather(std::span<const double> mine, std::span<const std::size_t> lengths, std::span<double> all) override {
    EXPECT_EQ(mine.size(), lengths[rank_]);
    meeting_.parts[rank_].assign(mine.begin(), mine.end());
    meeting_.barrier.arrive_and_wait();
    std::size_t offset = 0;
    for (const auto& part : meeting_.parts) {
      std::copy(part.begin(), part.end(), all.begin() + static_cast<std::ptrdiff_t>(offset));
      offset += part.size();
    }
    EXPECT_EQ(offset, all.size());
    meeting_.barrier.arrive_and_wait();
  }
  void broadcast(std::span<std::byte>) override {}
  void finish() override {}
  [[nodiscard]] bool any(bool mine) override { return mine; }

 private:
  Meeting& meeting_;
  std::size_t rank_;
};

PaddedVector some_parameter(std::size_t dimension) {
  PaddedVector w(dimension);
  for (std::size_t j = 0; j < dimension; ++j) w[j] = std::sin(static_cast<double>(3 * j + 1));
  return w;
}

std::vector<double> sum_of(const Records& records, const std::vector<std::uint64_t>& batch, Communicator& communicator,
                           std::optional<double> positive = std::nullopt) {
  GradientSum gradient(records, {}, positive, communicator);
  const PaddedVector w = some_parameter(records.dimension());
  // A sum must not remember the one before.
  static_cast<void>(gradient.over(std::vector<std::uint64_t>{0, 1, 2}, w));
  const auto sum = gradient.over(batch, w);
  return {sum.begin(), sum.end()};
}

TEST(GradientSum, HasTheSameBitsForEveryNumberOfRanks) {
  const auto examples = test::random_examples(100, 7, 1);
  const std::vector<std::vector<std::uint64_t>> batches{{5}, {}, {3, 19, 35}, {99, 0, 1, 50, 51, 17, 17}, [] {
                                                          std::vector<std::uint64_t> all(100);
                                                          for (std::size_t i = 0; i < all.size(); ++i)
                                                            all[i] = (i * 37) % 100;
                                                          return all;
                                                        }()};
  for (const bool is_sparse : {false, true}) {
    const auto make = [&](const Shard& shard) {
      return is_sparse ? test::sparse_records_of(examples, shard) : test::records_of(examples, shard);
    };
    for (const auto& batch : batches) {
      const Records whole = make({});
      const std::vector<double> alone_sum = sum_of(whole, batch, alone());
      for (std::size_t size = 2; size <= kShards; ++size) {
        Meeting meeting(size);
        std::vector<std::vector<double>> sums(size);
        std::vector<std::thread> ranks;
        for (std::size_t rank = 0; rank < size; ++rank)
          ranks.emplace_back([&, rank] {
            ThreadCommunicator communicator(meeting, rank);
            const Records part = make(shard_of(communicator));
            sums[rank] = sum_of(part, batch, communicator);
          });
        for (std::thread& one : ranks) one.join();
        for (const auto& sum : sums) EXPECT_EQ(sum, alone_sum) << size << " ranks, batch of " << batch.size();
      }
    }
  }
}

TEST(GradientSum, IsTheSumOfTheGradients) {
  const auto examples = test::random_examples(200, 101, 2);
  const Records dense = test::records_of(examples), sparse = test::sparse_records_of(examples);
  std::vector<std::uint64_t> batch;
  for (std::uint64_t i = 0; i < 150; ++i) batch.push_back((i * 7) % 200);
  const PaddedVector w = some_parameter(101);
  std::vector<Exact> truth(101, 0);
  for (const std::uint64_t i : batch) {
    Exact prediction = 0;
    for (std::size_t j = 0; j < 101; ++j) prediction += Exact(examples[i].features[j]) * w[j];
    const double slope = Loss{}.derivative(static_cast<double>(prediction), examples[i].label);
    for (std::size_t j = 0; j < 101; ++j) truth[j] += Exact(slope) * examples[i].features[j];
  }
  for (const Records* records : {&dense, &sparse}) {
    const std::vector<double> sum = sum_of(*records, batch, alone());
    for (std::size_t j = 0; j < 101; ++j) EXPECT_NEAR(sum[j], static_cast<double>(truth[j]), 1e-13) << j;
  }
}

TEST(GradientSum, TakesOneClassAgainstTheRest) {
  auto examples = test::random_examples(30, 4, 3);
  for (std::size_t i = 0; i < 30; ++i) examples[i].label = static_cast<double>(i % 3);
  auto against = examples;
  for (auto& one : against) one.label = one.label == 2.0 ? 1.0 : -1.0;
  const std::vector<std::uint64_t> batch{1, 2, 3, 8, 29};
  EXPECT_EQ(sum_of(test::records_of(examples), batch, alone(), 2.0), sum_of(test::records_of(against), batch, alone()));
}

}  // namespace
}  // namespace doeblin::training
