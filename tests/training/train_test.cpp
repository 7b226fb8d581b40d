// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/train.hpp"

#include <cmath>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "support/records.hpp"

namespace doeblin::training {
namespace {

namespace fs = std::filesystem;

DescentRequest request_for(const Records& records, double tasks) {
  DescentRequest request;
  request.domain = {DomainKind::kBall, 5.0};
  request.bounds = {1.0, 1.0};
  request.dimension = records.dimension();
  request.records = static_cast<double>(records.count());
  request.learning_rate = 0.5;
  request.epochs = 3;
  request.batch = 10;
  request.tasks = tasks;
  return request;
}

class TrainTest : public testing::Test {
 protected:
  ~TrainTest() override { fs::remove(path); }

  std::vector<test::Example> examples = test::random_examples(120, 4, 5);
  std::string path = (fs::temp_directory_path() / ("doeblin-train-" + std::to_string(getpid()))).string();
  CheckpointKey key{{1}};
};

TEST_F(TrainTest, MakesOneVectorOrOneForEachClass) {
  const Records two = test::records_of(examples);
  EXPECT_EQ(train(plan_descent(request_for(two, 1), 0.1), two)->size(), 1u);
  for (std::size_t i = 0; i < examples.size(); ++i) examples[i].label = static_cast<double>(i % 3);
  const Records three = test::records_of(examples);
  const auto vectors = *train(plan_descent(request_for(three, 3), 0.1), three);
  EXPECT_EQ(vectors.size(), 3u);
  EXPECT_NE(vectors[0], vectors[1]);
}

TEST_F(TrainTest, SeedsAreReproducibleAndOtherwiseNothingIs) {
  const Records records = test::records_of(examples);
  const DescentPlan plan = plan_descent(request_for(records, 1), 0.1);
  const TrainingOptions seeded{.source = sampling::RandomSource::insecure(3)};
  EXPECT_EQ(train(plan, records, seeded), train(plan, records, seeded));
  EXPECT_NE(train(plan, records), train(plan, records));
}

TEST_F(TrainTest, GoesOnFromItsCheckpoint) {
  for (std::size_t i = 0; i < examples.size(); ++i) examples[i].label = static_cast<double>(i % 3);
  const Records records = test::records_of(examples);
  DescentRequest request = request_for(records, 3);
  // Large enough that there are several looks at the clock in a run.
  request.epochs = 40'000;
  const DescentPlan plan = plan_descent(request, 0.1);
  const CheckpointPlace place{path, &key, identity_of("run", records), 0.0};
  std::uint64_t last = 0;
  int stops = 0;
  Parameters done;
  while (!done) {
    std::atomic<bool> stop{false};
    const std::uint64_t before = last;
    done = train(plan, records,
                 {.checkpoint = &place,
                  .progress =
                      [&](std::uint64_t steps) {
                        EXPECT_GT(steps, last);
                        last = steps;
                        stop = steps >= before + 300'000;
                      },
                  .stop = &stop});
    if (!done) ++stops;
    ASSERT_TRUE(fs::exists(path));
    ASSERT_LT(stops, 20);
  }
  EXPECT_GE(stops, 3);
  EXPECT_EQ(last, 3 * plan.privacy.steps());
  EXPECT_EQ(done->size(), 3u);
  // The finished result is in the checkpoint: whoever asks again gets the same, not a second release.
  EXPECT_EQ(train(plan, records, {.checkpoint = &place}), done);
}

// Killed after the end and before the result is written: the next start must not make a second release.
TEST_F(TrainTest, TheEndIsSavedHoweverSeldomCheckpointsAre) {
  const Records records = test::records_of(examples);
  const DescentPlan plan = plan_descent(request_for(records, 1), 0.1);
  const CheckpointPlace place{path, &key, identity_of("run", records), 1e9};
  const Parameters done = train(plan, records, {.checkpoint = &place});
  ASSERT_TRUE(fs::exists(path));
  EXPECT_EQ(train(plan, records, {.checkpoint = &place}), done);
}

TEST_F(TrainTest, WithoutACheckpointNothingIsLeftOfAStop) {
  const Records records = test::records_of(examples);
  const std::atomic<bool> stop{true};
  EXPECT_FALSE(train(plan_descent(request_for(records, 1), 0.1), records, {.stop = &stop}));
  EXPECT_FALSE(fs::exists(path));
}

// Two classes that nobody has are learnt from the same records: only their noise tells them apart.
TEST_F(TrainTest, EveryTaskHasNoiseOfItsOwn) {
  for (test::Example& one : examples) one.label = 2.0;
  const Records records = test::records_of(examples);
  const DescentPlan plan = plan_descent(request_for(records, 3), 0.1);
  for (const auto& source : {sampling::RandomSource::insecure(1), sampling::RandomSource::secure()}) {
    const auto vectors = *train(plan, records, {.source = source});
    EXPECT_NE(vectors[0], vectors[1]);
  }
}

// With hardly any noise, what tells these two apart would be their batches: a run of all tasks together has them once.
TEST_F(TrainTest, TasksShareTheirBatches) {
  for (std::size_t i = 0; i < examples.size(); ++i) examples[i].label = i % 2 == 0 ? 2.0 : 3.0;
  const Records records = test::records_of(examples);
  for (const auto order : {pipeline::RecordSequence::kPermuted, pipeline::RecordSequence::kPoisson}) {
    DescentRequest request = request_for(records, 4);
    request.order = order;
    request.batch = 2.0;
    const auto vectors = *train(plan_descent(request, 1e-5), records);
    const auto others = *train(plan_descent(request, 1e-5), records);
    double apart = 0.0;
    for (std::size_t j = 0; j < 4; ++j) {
      EXPECT_NEAR(vectors[0][j], vectors[1][j], 1e-3);
      // The third class has the same batches too, but other labels; another run has other batches.
      apart = std::max(apart, std::abs(others[2][j] - vectors[2][j]));
    }
    EXPECT_GT(apart, 1e-2);
  }
}

// Every step adds the same drift and fresh noise. If the second half had the noise of the first, it would go as far.
TEST_F(TrainTest, ResumedRunsDrawNewNoiseEvenUnderASeed) {
  const Records records = test::records_of({{{1.0}, 1e9}});
  DescentRequest request = request_for(records, 1);
  request.loss = {loss_named("huber"), 1.0};
  request.bounds = {1.0, 1e9};
  request.domain.size = 1e7;
  request.batch = 1.0;
  const CheckpointPlace place{path, &key, identity_of("run", records), 0.0};
  const TrainingOptions seeded{.source = sampling::RandomSource::insecure(3), .checkpoint = &place};
  // How many steps are made between two looks at the clock.
  request.epochs = 2e6;
  std::uint64_t half = 0;
  std::atomic<bool> stop{true};
  TrainingOptions stopped = seeded;
  stopped.stop = &stop;
  stopped.progress = [&](std::uint64_t steps) { half = steps; };
  ASSERT_FALSE(train(plan_descent(request, 2.0), records, stopped));
  fs::remove(path);
  request.epochs = 2.0 * static_cast<double>(half);
  const DescentPlan plan = plan_descent(request, 2.0);
  ASSERT_FALSE(train(plan, records, stopped));
  const auto middle = read_checkpoint(path, place.run, key);
  ASSERT_TRUE(middle);
  ASSERT_EQ(2 * middle->state.step, plan.privacy.steps());
  const double first = middle->state.parameter[0];
  const double second = (*train(plan, records, seeded))[0][0] - first;
  EXPECT_NEAR(second, first, 0.02 * std::abs(first));
  EXPECT_NE(second, first);
}

}  // namespace
}  // namespace doeblin::training
