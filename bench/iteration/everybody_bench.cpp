// SPDX-License-Identifier: Apache-2.0
// Everybody's guarantee in a hidden run, and one person's: time against the number of records and epochs.
#include "doeblin/iteration/everybody.hpp"

#include <benchmark/benchmark.h>

namespace doeblin {
namespace {

constexpr double kDelta = 1e-5;

// noise 0.01 and shift 0.02 on a domain of the given diameter
std::shared_ptr<const HiddenRun> run_of(std::size_t steps, double diameter) {
  return std::make_shared<const HiddenRun>(HiddenRun{NoisySteps({Bracket(1.0), Bracket(0.01)}, steps), diameter});
}

void BM_EverybodyBest(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  // The diameter grows with the run, so that blocks matter for a fixed share of the records.
  const auto run = run_of(n, 0.01 * std::sqrt(static_cast<double>(n)));
  const RecordOrder order(n, 1, n, Bracket(0.02));
  for (auto _ : state) benchmark::DoNotOptimize(epsilons(run, order, n, Delta(kDelta), IterationAnalysis::kBest));
}
BENCHMARK(BM_EverybodyBest)->RangeMultiplier(10)->Range(1000, 1000000)->Unit(benchmark::kMillisecond);

void BM_EverybodyHeterogeneous(benchmark::State& state) {
  const auto n = static_cast<std::size_t>(state.range(0));
  std::vector<NoisyStep> steps;
  std::vector<Bracket> shifts;
  for (std::size_t t = 0; t < n; ++t) {
    const double rate = 1.0 / (1.0 + static_cast<double>(t) / static_cast<double>(n));
    steps.push_back({Bracket(1.0 - 1e-6 * rate), Bracket(rate)});
    shifts.push_back(Bracket(2.0 * rate));
  }
  const auto run = std::make_shared<const HiddenRun>(HiddenRun{NoisySteps(std::move(steps))});
  const RecordOrder order(n, std::vector<std::size_t>(n, 1), std::move(shifts));
  for (auto _ : state) benchmark::DoNotOptimize(epsilons(run, order, n, Delta(kDelta), IterationAnalysis::kShift));
}
BENCHMARK(BM_EverybodyHeterogeneous)->RangeMultiplier(10)->Range(1000, 10000000)->Unit(benchmark::kMillisecond);

void BM_OnePersonEpochs(benchmark::State& state) {
  const std::size_t n = 50000;
  const auto epochs = static_cast<std::size_t>(state.range(0));
  const auto run = run_of(n * epochs, 1.0);
  const RecordOrder order(n, 1, n * epochs, Bracket(0.02));
  Bracket epsilon;
  for (auto _ : state)
    benchmark::DoNotOptimize(epsilon = HiddenRelease(run, order.uses(40000), n * epochs).epsilon(Delta(kDelta)));
  state.counters["epsilon"] = epsilon.upper();
}
BENCHMARK(BM_OnePersonEpochs)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace doeblin

BENCHMARK_MAIN();
