// SPDX-License-Identifier: Apache-2.0
#include "commands/train_run.hpp"

#include <chrono>
#include <cmath>
#include <filesystem>
#include <iostream>

#include <fmt/format.h>

#include "commands/process_guard.hpp"
#include "commands/progress.hpp"
#include "commands/together.hpp"
#include "commands/train_files.hpp"
#include "commands/train_plan.hpp"
#include "commands/train_report.hpp"
#include "doeblin/core/format.hpp"
#include "doeblin/core/text.hpp"
#include "doeblin/io/atomic_file.hpp"
#include "doeblin/iteration/sgd_utility.hpp"
#include "doeblin/training/certified_run.hpp"
#include "doeblin/training/checkpoint_lock.hpp"
#include "doeblin/training/train.hpp"

namespace doeblin::commands {
namespace {

namespace fs = std::filesystem;
using training::Communicator;
using training::DescentPlan;
using training::Records;

class Stopwatch {
 public:
  /// Since the last call.
  double lap() {
    const auto now = Clock::now();
    const std::chrono::duration<double> seconds = now - last_;
    last_ = now;
    return seconds.count();
  }

 private:
  using Clock = std::chrono::steady_clock;
  Clock::time_point last_ = Clock::now();
};

constexpr std::size_t kMostListed = 20'000'000;
// Beyond this everybody gets the guarantee of the worst record.
constexpr double kSecondsForPeople = 60.0;

training::LabelledData read_data(const TrainRequest& asked, training::DataFile& file,
                                 const training::Encoding& encoding, Communicator& communicator) {
  Progress progress("reading");
  return training::read_records(file, encoding,
                                {.shard = shard_of(communicator),
                                 .limits = asked.limits,
                                 .split = asked.split,
                                 .progress = [&](std::uint64_t, std::uint64_t) {
                                   StopsOnSignals::throw_if_asked();
                                   progress.goes_on();
                                 }});
}

// Everything that makes two runs the same one.
std::string description_of(const TrainRequest& asked, const DescentPlan& plan, const training::Model& model) {
  // A seeded run must not go on as one that is not, nor the other way round.
  const training::Domain& domain = plan.request.domain;
  return fmt::format("{}\n{}\n{} {} {} {}\n{}\n{}", language::text_of({.call = call_of(plan.privacy)}), json_of(model),
                     training::name(domain.kind), domain.size, domain.low, domain.high, plan.grid.noise,
                     asked.insecure_seed ? fmt::format("seed {}", *asked.insecure_seed) : "no seed");
}

std::optional<training::CheckpointKey> key_of(const TrainRequest& asked) {
  if (asked.checkpoint.empty()) return std::nullopt;
  if (!asked.key_file.empty()) return training::CheckpointKey::from_file(asked.key_file);
  auto key = training::CheckpointKey::from_environment();
  if (!key)
    throw InvalidArgument(Option{"checkpoint"}, fmt::format("'{}'", printable(asked.checkpoint)),
                          {"a key: ", Option{"key_file"}, " FILE, or DOEBLIN_CHECKPOINT_KEY in the environment"});
  return key;
}

std::optional<Bracket> ordinary_epsilon(const TrainRequest& asked, const DescentPlan& plan) {
  Settings settings = asked.settings;
  settings.run_analysis = RunAnalysis::kPublic;
  try {
    return pipeline::noisy_sgd(plan.privacy, settings).epsilon(Delta(asked.delta));
  } catch (const InvalidArgument&) {
    return std::nullopt;
  }
}

// For one pass over records in order; see sgd_utility.hpp.
std::optional<double> predicted_excess(const DescentPlan& plan) {
  const pipeline::NoisySgd& run = plan.privacy;
  if (run.epochs != 1.0 || plan.request.tasks > 1.0 || run.order == pipeline::RecordSequence::kPoisson ||
      run.noise != pipeline::NoiseLaw::kGaussian)
    return std::nullopt;
  const double radius = plan.request.domain.radius(plan.request.dimension);
  const SgdUtility utility{.steps = static_cast<double>(run.steps()),
                           .learning_rate = run.learning_rate,
                           .sigma = run.sigma,
                           .lipschitz = plan.constants.lipschitz + plan.request.regularisation * radius,
                           .diameter = plan.request.domain.diameter(plan.request.dimension),
                           .dimension = static_cast<double>(plan.request.dimension)};
  switch (run.output) {
    case pipeline::RunOutput::kLast: return last_iterate_excess(utility);
    case pipeline::RunOutput::kUniformStop: return random_stop_excess(utility);
    case pipeline::RunOutput::kSkip: return skip_excess(utility);
  }
  return std::nullopt;
}

Measured measure(const TrainRequest& asked, const DescentPlan& plan, const training::Model& model, const Records& test,
                 const Records& train, Communicator& communicator) {
  Measured measured{quality_on(model, test, communicator)};
  if (communicator.size() > 1) return measured;
  // The objective has its regulariser; the loss that is compared does not.
  const auto least = best_without_noise(model, plan.request.domain, 0.0, test);
  if (least) measured.least_loss = quality_on(*least, test).loss;
  if (asked.compares_without_noise)
    if (const auto best = best_without_noise(model, plan.request.domain, plan.request.regularisation, train))
      measured.without_noise = quality_on(*best, test);
  return measured;
}

// The line of every record, on every rank.
std::vector<std::uint64_t> lines_of(const Records& records, Communicator& communicator) {
  std::vector<double> mine;
  for (std::size_t i = 0; i < records.count(); ++i)
    if (records.contains(i)) mine.push_back(static_cast<double>(records.line(i)));
  std::vector<std::size_t> lengths;
  for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
    const training::Shard shard = training::shard_of(rank, communicator.size());
    std::size_t count = 0;
    for (std::size_t i = 0; i < records.count(); ++i) count += shard.contains(i) ? 1 : 0;
    lengths.push_back(count);
  }
  std::vector<double> all(records.count());
  communicator.gather(mine, lengths, all);
  std::vector<std::uint64_t> lines(records.count());
  std::size_t offset = 0;
  for (std::size_t rank = 0; rank < communicator.size(); ++rank) {
    const training::Shard shard = training::shard_of(rank, communicator.size());
    for (std::size_t i = 0; i < records.count(); ++i)
      if (shard.contains(i)) lines[i] = static_cast<std::uint64_t>(all[offset++]);
  }
  return lines;
}

TrainOutcome finished_run(const TrainRequest& request, Communicator& ranks) {
  const bool is_first = ranks.rank() == 0;
  Stopwatch watch;
  double reading_seconds = 0.0;
  std::optional<training::LabelledData> data;
  std::optional<Records> test;
  std::optional<DescentPlan> plan;
  std::optional<training::CheckpointKey> key;
  std::optional<training::CheckpointLock> lock;
  std::optional<pipeline::Pipeline> guarantee;
  Bracket epsilon;
  OutputFolder folder;
  TrainRequest asked;
  training::Model model;
  together(ranks, [&] {
    asked = completed(request);
    model.loss = asked.run.loss;
    if (ranks.size() > 1 && asked.data == "-")
      throw InvalidArgument("data", "'-'", "a file that every process can read");
    if (is_first && !asked.folder.empty()) folder.open(asked);
    if (is_first && !asked.certificate.empty()) require_room_for_certificate(asked);
    key = key_of(asked);
    if (is_first && key) {
      static_cast<void>(AtomicFile(Option{"checkpoint"}, asked.checkpoint));
      lock.emplace(asked.checkpoint);
    }
    training::DataFile file = data_file(asked);
    model.encoding = resolve(asked.encoding, file);
    // What can be refused without the records is refused before they are read.
    data = read_data(asked, file, model.encoding, ranks);
    if (!asked.test_file.empty()) {
      training::DataFile others = training::DataFile::open(asked.test_file, asked.format);
      test = training::read_records(others, model.encoding, {.shard = shard_of(ranks), .limits = asked.limits}).train;
    } else if (asked.split.held_out > 0.0) {
      test = std::move(data->held_out);
    }
    reading_seconds = watch.lap();
    plan = plan_of(asked, request_of(asked, model.encoding, data->train));
    if (!is_first) return;
    guarantee = certified_run(*plan, asked.settings);
    epsilon = guarantee->epsilon(Delta(asked.delta));
    require(std::isfinite(epsilon.upper()), "sigma", plan->privacy.sigma, "more noise: no epsilon can be guaranteed");
    // The noise was solved for so that the target is met; a bracket may end a little above it.
    if (asked.epsilon) epsilon = min(epsilon, Bracket(*asked.epsilon));
  });
  const double planning_seconds = watch.lap();
  const Records& records = data->train;

  const auto source =
      asked.insecure_seed ? sampling::RandomSource::insecure(*asked.insecure_seed) : sampling::RandomSource::secure();
  training::CheckpointPlace place;
  if (key)
    place = {asked.checkpoint, &*key, identity_of(description_of(asked, *plan, model), records, ranks),
             asked.checkpoint_seconds};
  training::Parameters parameters;
  bool is_stopped = false;
  {
    StopsOnSignals signals;
    Progress progress(plan->privacy.steps() * static_cast<std::size_t>(plan->request.tasks), "steps");
    const auto tell = [&](std::uint64_t done) { progress.finished(done); };
    parameters = train(
        *plan, records,
        {.source = source, .checkpoint = key ? &place : nullptr, .progress = tell, .stop = &StopsOnSignals::asked()},
        ranks);
    // Too late for the last step is not too late: nothing was written yet.
    is_stopped = ranks.any(signals.give_back() || !parameters);
  }
  if (is_stopped) {
    ranks.finish();
    throw Interrupted{};
  }
  const double training_seconds = watch.lap();
  model.parameters = std::move(*parameters);
  std::optional<Measured> measured;
  if (test && asked.is_test_public && test->count() > 0) measured = measure(asked, *plan, model, *test, records, ranks);
  const std::vector<std::uint64_t> lines =
      records.count() <= kMostListed ? lines_of(records, ranks) : std::vector<std::uint64_t>{};
  ranks.finish();
  if (!is_first) return {};

  TrainReport report{.asked = asked,
                     .plan = *plan,
                     .model = std::move(model),
                     .guarantee = *guarantee,
                     .epsilon = epsilon,
                     .people = std::nullopt,
                     .ordinary = ordinary_epsilon(asked, *plan),
                     .predicted_excess = predicted_excess(*plan),
                     .measured = measured,
                     .reading_seconds = reading_seconds,
                     .planning_seconds = planning_seconds,
                     .training_seconds = training_seconds};
  report.people = people_report_within(*guarantee, expression_of(language::Program{.call = call_of(plan->privacy)}),
                                       {Quantity::kEpsilon, asked.delta}, kSecondsForPeople);
  report.model.guarantee = guarantee_line(report);
  report.lines = lines;
  if (lock) lock->require_held();
  StopsOnSignals::throw_if_asked();
  if (!asked.folder.empty() || !asked.certificate.empty()) write_files(report);
  if (key) fs::remove(asked.checkpoint);
  return {.report = std::move(report)};
}

}  // namespace

TrainOutcome train_run(const TrainRequest& request, Communicator& ranks) {
  try {
    return finished_run(request, ranks);
  } catch (const Interrupted&) {
    std::error_code ignored;
    const bool can_go_on = !request.checkpoint.empty() && fs::exists(request.checkpoint, ignored);
    if (ranks.rank() == 0)
      std::cerr << "doeblin: interrupted; "
                << (can_go_on ? "the same command goes on from the checkpoint\n" : "nothing was written\n");
    return {.is_interrupted = true};
  }
}

}  // namespace doeblin::commands
