// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/train.hpp"

#include <chrono>
#include <cmath>

namespace doeblin::training {
namespace {

// Multiplications between two looks at the clock: some milliseconds.
constexpr double kWork = 1e7;

std::uint64_t steps_at_a_time(const DescentPlan& plan) {
  // Drawing a coordinate's noise takes about as long as ten products.
  const double work = static_cast<double>(plan.request.dimension) * (plan.privacy.batch + 10.0);
  return static_cast<std::uint64_t>(std::max(1.0, kWork / work));
}

class Runs {
 public:
  Runs(const DescentPlan& plan, const Records& records, const TrainingOptions& options, Communicator& communicator)
      : plan_(plan), records_(records), options_(options), communicator_(communicator) {
    if (!options.checkpoint) return;
    if (communicator.rank() == 0) remove_leftovers(options.checkpoint->path);
    if (auto found = read_checkpoint(options.checkpoint->path, options.checkpoint->run, *options.checkpoint->key)) {
      finished_ = std::move(found->finished);
      order_ = found->state.order;
      if (finished_.size() < tasks()) resumed_ = std::move(found->state);
    }
  }

  [[nodiscard]] Parameters all() {
    while (finished_.size() < tasks())
      if (!next()) return std::nullopt;
    return finished_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  [[nodiscard]] std::size_t tasks() const { return static_cast<std::size_t>(plan_.request.tasks); }

  // One more run; false when it was stopped.
  bool next() {
    const std::size_t task = finished_.size();
    const std::uint64_t before = resumed_ ? resumed_->step : 0;
    const auto positive = tasks() > 1 ? std::optional(static_cast<double>(task)) : std::nullopt;
    // Starts of one seed are told apart by where they start.
    DescentKeys keys = fresh_keys(options_.source, (std::uint64_t{task} << 40U) + before, communicator_);
    // All tasks have the batches of the first one.
    if (!order_) order_ = keys.order;
    keys.order = *order_;
    NoisyDescent descent = resumed_ ? NoisyDescent(plan_, records_, positive, keys, *resumed_, communicator_)
                                    : NoisyDescent(plan_, records_, positive, keys, communicator_);
    resumed_.reset();
    const std::uint64_t stride = steps_at_a_time(plan_);
    while (!descent.is_finished()) {
      descent.advance(stride);
      options_.progress(task * descent.steps() + descent.done());
      const bool is_stopped = communicator_.any(options_.stop && options_.stop->load());
      if (is_stopped || is_due()) save(descent.state());
      if (is_stopped) return false;
    }
    finished_.push_back(descent.released());
    if (finished_.size() == tasks()) save({});
    return true;
  }

  [[nodiscard]] bool is_due() const {
    return options_.checkpoint &&
           std::chrono::duration<double>(Clock::now() - saved_).count() >= options_.checkpoint->seconds;
  }

  void save(const DescentState& state) {
    saved_ = Clock::now();
    if (!options_.checkpoint || communicator_.rank() != 0) return;
    write_checkpoint(options_.checkpoint->path, {options_.checkpoint->run, finished_, state},
                     *options_.checkpoint->key);
  }

  const DescentPlan& plan_;
  const Records& records_;
  const TrainingOptions& options_;
  Communicator& communicator_;
  std::vector<std::vector<double>> finished_;
  std::optional<DescentState> resumed_;
  std::optional<sampling::RandomStream::Key> order_;
  Clock::time_point saved_ = Clock::now();
};

}  // namespace

Parameters train(const DescentPlan& plan, const Records& records, const TrainingOptions& options,
                 Communicator& communicator) {
  return Runs(plan, records, options, communicator).all();
}

}  // namespace doeblin::training
