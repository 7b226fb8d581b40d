// SPDX-License-Identifier: Apache-2.0
// Draws a second of the exact samplers, of the random words below them, and of the standard library's inexact normal.
#include <random>
#include <vector>

#include <benchmark/benchmark.h>

#include "doeblin/sampling/lattice_noise.hpp"
#include "doeblin/sampling/random_stream.hpp"

namespace {

using namespace doeblin::sampling;

constexpr std::size_t kDraws = 1 << 16;

void BM_Words(benchmark::State& state) {
  RandomStream random = RandomSource::secure().stream();
  std::vector<std::uint64_t> words(kDraws);
  for (auto _ : state) {
    random.fill(words);
    benchmark::DoNotOptimize(words.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraws));
}

void draw(benchmark::State& state, const LatticeNoise& noise) {
  RandomStream random = RandomSource::secure().stream();
  std::vector<std::int64_t> draws(kDraws);
  for (auto _ : state) {
    noise.fill(random, draws);
    benchmark::DoNotOptimize(draws.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraws));
}

void BM_DiscreteGaussian(benchmark::State& state) {
  draw(state, LatticeNoise::gaussian(static_cast<double>(state.range(0)) + 0.3));
}

void BM_DiscreteLaplace(benchmark::State& state) {
  draw(state, LatticeNoise::laplace(static_cast<double>(state.range(0)) + 0.3));
}

void BM_StandardNormal(benchmark::State& state) {
  std::mt19937_64 random(1);
  std::normal_distribution<double> normal;
  std::vector<double> draws(kDraws);
  for (auto _ : state) {
    for (double& one : draws) one = normal(random);
    benchmark::DoNotOptimize(draws.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kDraws));
}

BENCHMARK(BM_Words);
BENCHMARK(BM_DiscreteGaussian)
    ->Arg(1)
    ->Arg(100)
    ->Arg(1 << 20)
    ->Arg(std::int64_t{1} << 40)
    ->ThreadRange(1, 2)
    ->UseRealTime();
BENCHMARK(BM_DiscreteLaplace)->Arg(100)->Arg(std::int64_t{1} << 40)->ThreadRange(1, 2)->UseRealTime();
BENCHMARK(BM_StandardNormal);

}  // namespace

BENCHMARK_MAIN();
