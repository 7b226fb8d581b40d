// SPDX-License-Identifier: Apache-2.0
#include "doeblin/training/noisy_descent.hpp"

#include <sodium.h>

#include <algorithm>
#include <array>

#include "doeblin/core/error.hpp"
#include "training/batch_sequence.hpp"
#include "training/gradient_sum.hpp"
#include "training/grid_step.hpp"

namespace doeblin::training {

using pipeline::RunOutput;
using sampling::RandomStream;

DescentKeys fresh_keys(const sampling::RandomSource& source, std::uint64_t start, Communicator& communicator) {
  std::array<std::uint64_t, 8> words{};
  RandomStream stream = source.stream(start);
  stream.fill(words);
  communicator.broadcast(std::as_writable_bytes(std::span(words)));
  DescentKeys keys{};
  std::copy_n(reinterpret_cast<const unsigned char*>(words.data()), keys.noise.size(), keys.noise.begin());
  std::copy_n(reinterpret_cast<const unsigned char*>(words.data()) + keys.noise.size(), keys.order.size(),
              keys.order.begin());
  sodium_memzero(words.data(), sizeof(words));
  return keys;
}

struct NoisyDescent::Run {
  Run(const DescentPlan& plan_, const Records& records, std::optional<double> positive, const DescentKeys& keys,
      const DescentState& state_, Communicator& communicator)
      : plan(plan_),
        state(state_),
        steps(plan_.privacy.steps()),
        batches(plan_.privacy, state_.order),
        gradient(records, plan_.request.loss, positive, communicator),
        grid(plan_, keys.noise),
        parameter(plan_.request.dimension) {
    ensure(static_cast<double>(records.count()) == plan.privacy.n, "the plan is for these records");
    ensure(records.dimension() == plan.request.dimension && records.is_sparse() == plan.request.is_sparse,
           "the plan is for vectors like these");
    if (state.step == 0)
      start();
    else
      std::copy(state.parameter.begin(), state.parameter.end(), parameter.span().begin());
  }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;
  ~Run() {
    sodium_memzero(parameter.data(), parameter.size() * sizeof(double));
    sodium_memzero(state.parameter.data(), state.parameter.size() * sizeof(double));
    sodium_memzero(state.chosen.data(), state.chosen.size() * sizeof(double));
    sodium_memzero(state.order.data(), state.order.size());
  }

  void start() {
    std::fill(parameter.span().begin(), parameter.span().end(), 0.0);
    plan.request.domain.project(parameter.span());
  }

  void step() {
    const std::span<const double> sum = gradient.over(batches.batch(state.step), parameter);
    const double rate = plan.privacy.learning_rate;
    const double decay = rate * plan.request.regularisation;
    const double share = rate / plan.privacy.batch;
    const std::span<double> w = parameter.span();
    for (std::size_t j = 0; j < w.size(); ++j) w[j] -= decay * w[j] + share * sum[j];
    grid.add_noise(w);
    plan.request.domain.project(w);
    ++state.step;
    if (state.step != state.moment) return;
    if (plan.privacy.output == RunOutput::kUniformStop) state.chosen.assign(w.begin(), w.end());
    if (plan.privacy.output == RunOutput::kSkip) start();
  }

  DescentPlan plan;
  DescentState state;
  std::uint64_t steps;
  BatchSequence batches;
  GradientSum gradient;
  GridStep grid;
  PaddedVector parameter;
};

namespace {

// How many steps are made before the run is stopped (1, ..., T) or starts (0, ..., T/2): I8, I9.
DescentState first_state(const DescentPlan& plan, const DescentKeys& keys) {
  DescentState state{.order = keys.order};
  const std::uint64_t steps = plan.privacy.steps();
  // The order of the records is fixed wherever this is random, so its key is free.
  RandomStream random(keys.order);
  if (plan.privacy.output == RunOutput::kUniformStop) {
    state.moment = 1 + random.below(steps);
    // There from the start: how long a checkpoint is must not tell whether the moment is over.
    state.chosen.assign(plan.request.dimension, 0.0);
  }
  if (plan.privacy.output == RunOutput::kSkip) state.moment = random.below(steps / 2 + 1);
  return state;
}

}  // namespace

NoisyDescent::NoisyDescent(const DescentPlan& plan, const Records& records, std::optional<double> positive,
                           const DescentKeys& keys, Communicator& communicator)
    : run_(std::make_unique<Run>(plan, records, positive, keys, first_state(plan, keys), communicator)) {}

NoisyDescent::NoisyDescent(const DescentPlan& plan, const Records& records, std::optional<double> positive,
                           const DescentKeys& keys, const DescentState& state, Communicator& communicator)
    : run_(std::make_unique<Run>(plan, records, positive, keys, state, communicator)) {}

NoisyDescent::NoisyDescent(NoisyDescent&&) noexcept = default;
NoisyDescent& NoisyDescent::operator=(NoisyDescent&&) noexcept = default;
NoisyDescent::~NoisyDescent() = default;

std::uint64_t NoisyDescent::steps() const { return run_->steps; }
std::uint64_t NoisyDescent::done() const { return run_->state.step; }

void NoisyDescent::advance(std::uint64_t count) {
  for (std::uint64_t k = 0; k < count && !is_finished(); ++k) run_->step();
}

std::vector<double> NoisyDescent::released() const {
  ensure(is_finished(), "only the end of a run is released");
  if (run_->plan.privacy.output == RunOutput::kUniformStop) return run_->state.chosen;
  const auto w = run_->parameter.span();
  return {w.begin(), w.end()};
}

DescentState NoisyDescent::state() const {
  DescentState state = run_->state;
  const auto w = run_->parameter.span();
  state.parameter.assign(w.begin(), w.end());
  return state;
}

}  // namespace doeblin::training
