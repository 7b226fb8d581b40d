// SPDX-License-Identifier: Apache-2.0
#include "commands/train_run.hpp"

#include <csignal>
#include <filesystem>

#include <gtest/gtest.h>
#include <unistd.h>

#include "commands/process_guard.hpp"

namespace doeblin::commands {
namespace {

namespace fs = std::filesystem;

// A single process that gets a Ctrl-C while it is in the call of this number; 0 for none.
class Interrupting final : public training::Communicator {
 public:
  explicit Interrupting(int at) : at_(at) {}

  [[nodiscard]] std::size_t rank() const override { return 0; }
  [[nodiscard]] std::size_t size() const override { return 1; }
  void gather(std::span<const double> mine, std::span<const std::size_t> lengths, std::span<double> all) override {
    count();
    training::alone().gather(mine, lengths, all);
  }
  void broadcast(std::span<std::byte> bytes) override {
    count();
    training::alone().broadcast(bytes);
  }
  void finish() override { count(); }
  [[nodiscard]] bool any(bool mine) override {
    count();
    return mine;
  }

  [[nodiscard]] int calls() const { return calls_; }

 private:
  void count() {
    if (++calls_ == at_) raise(SIGINT);
  }

  int at_;
  int calls_ = 0;
};

class TrainRunTest : public testing::Test {
 protected:
  ~TrainRunTest() override { fs::remove_all(folder); }

  TrainOutcome run(training::Communicator& ranks) const {
    TrainRequest request;
    request.table = training::Table{
        .name = "X", .rows = labels.size(), .columns = 1, .features = features.data(), .labels = labels.data()};
    request.encoding.classes = {"0", "1"};
    request.norm = 1.0;
    request.radius = 1.0;
    request.sigma = 2.0;
    request.run.batch = 2.0;
    request.folder = folder;
    return train_run(request, ranks);
  }

  std::vector<double> features = {0.1, -0.2, 0.3, -0.4, 0.5, -0.6};
  std::vector<double> labels = {1, 0, 1, 0, 1, 0};
  std::string folder = (fs::temp_directory_path() / ("doeblin-train-run-" + std::to_string(getpid()))).string();
};

TEST_F(TrainRunTest, AnInterruptEndsItWheneverItComes) {
  Interrupting never(0);
  ASSERT_TRUE(run(never).report);
  EXPECT_TRUE(fs::exists(folder + "/model.json"));
  // Before the first step, between steps, after the last one, and before everybody's guarantee.
  ASSERT_GE(never.calls(), 4);
  for (int at = 1; at <= never.calls(); ++at) {
    fs::remove_all(folder);
    Interrupting ranks(at);
    StopsOnSignals signals(StopsOnSignals::Which::kInterrupt);
    const TrainOutcome outcome = run(ranks);
    EXPECT_TRUE(outcome.is_interrupted && !outcome.report) << at;
    EXPECT_FALSE(fs::exists(folder + "/model.json")) << at;
    EXPECT_TRUE(signals.give_back()) << at;
    EXPECT_FALSE(signals.give_back() || StopsOnSignals::asked()) << at;
  }
}

}  // namespace
}  // namespace doeblin::commands
