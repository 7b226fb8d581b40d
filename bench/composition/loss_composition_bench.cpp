// SPDX-License-Identifier: Apache-2.0
// Composition by privacy-loss distributions: time, and the width of the bracket as a counter.
#include "doeblin/composition/loss_composition.hpp"

#include <benchmark/benchmark.h>

#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/subsampling/subsampling.hpp"

namespace doeblin {
namespace {

LossPairs sampled_gaussian(double sigma, double rate) {
  return poisson_sampled(LossPairs::exact(LossPair::symmetric_of(profile_of(gdp(Gaussian{sigma})))), Bracket(rate));
}

void measure(benchmark::State& state, const std::vector<LossPart>& parts, const AccuracyGoal& goal, double delta) {
  const LossComposition composition(parts, goal);
  Bracket epsilon;
  for (auto _ : state) benchmark::DoNotOptimize(epsilon = composition.epsilon(Delta(delta)));
  state.counters["width"] = epsilon.width();
}

void BM_DpSgd(benchmark::State& state) {
  measure(state, {{sampled_gaussian(1.1, 256.0 / 60000.0), static_cast<double>(state.range(0))}}, kCompositionGoal,
          1e-5);
}
BENCHMARK(BM_DpSgd)
    ->Arg(1)
    ->Arg(1000)
    ->Arg(14000)
    ->Arg(100000)
    ->Arg(1000000)
    ->Arg(1000000000)
    ->Unit(benchmark::kMillisecond);

void BM_DpSgdWidth(benchmark::State& state) {
  AccuracyGoal goal = kCompositionGoal;
  goal.epsilon_width = 1.0 / static_cast<double>(state.range(0));
  measure(state, {{sampled_gaussian(1.1, 256.0 / 60000.0), 14000.0}}, goal, 1e-5);
}
BENCHMARK(BM_DpSgdWidth)->RangeMultiplier(10)->Range(10, 100000)->Unit(benchmark::kMillisecond);

void BM_DifferentMechanisms(benchmark::State& state) {
  std::vector<LossPart> parts;
  for (int i = 0; i < state.range(0); ++i) parts.push_back({sampled_gaussian(1.0 + i / 10.0, 0.01 + i / 1000.0), 1.0});
  measure(state, parts, kCompositionGoal, 1e-5);
}
BENCHMARK(BM_DifferentMechanisms)->Arg(1)->Arg(10)->Arg(50)->Arg(200)->Unit(benchmark::kMillisecond);

void BM_Laplace(benchmark::State& state) {
  measure(state, {{LossPairs::exact(LossPair::symmetric_of(profile_of(Laplace{10.0}))), 1000.0}}, kCompositionGoal,
          1e-5);
}
BENCHMARK(BM_Laplace)->Unit(benchmark::kMillisecond);

void BM_Tail(benchmark::State& state) {
  const LossPairs gaussian = LossPairs::exact(LossPair::symmetric_of(profile_of(gdp(Gaussian{100.0}))));
  measure(state, {{gaussian, 10000.0}}, kCompositionGoal, std::pow(10.0, -static_cast<double>(state.range(0))));
}
BENCHMARK(BM_Tail)->Arg(5)->Arg(30)->Arg(100)->Arg(250)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace doeblin

BENCHMARK_MAIN();
