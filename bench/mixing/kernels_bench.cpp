// SPDX-License-Identifier: Apache-2.0
// Coefficients of finite kernels: time against the number of states, dense and sparse. With a kernel file in
// DOEBLIN_KERNEL also the coefficients of that one, which bench/compare_kernels.py sets against SciPy.
#include <cstdlib>
#include <random>

#include <benchmark/benchmark.h>

#include "doeblin/mixing/kernel_coefficients.hpp"
#include "doeblin/mixing/kernel_file.hpp"

namespace doeblin {
namespace {

FiniteKernel dense(std::size_t states) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> exponential(1.0);
  std::vector<double> values(states * states);
  for (std::size_t x = 0; x < states; ++x) {
    double sum = 0.0;
    for (std::size_t y = 0; y < states; ++y) sum += values[x * states + y] = exponential(random);
    for (std::size_t y = 0; y < states; ++y) values[x * states + y] /= sum;
  }
  return FiniteKernel::dense(states, states, std::move(values));
}

// Ten entries a row, the first `hubs` of them in columns that all rows share.
FiniteKernel sparse(std::size_t states, std::size_t hubs) {
  std::mt19937_64 random(1);
  std::exponential_distribution<double> exponential(1.0);
  std::vector<FiniteKernel::Entry> entries;
  for (std::uint32_t x = 0; x < states; ++x) {
    std::vector<std::uint32_t> columns;
    while (columns.size() < 10) {
      const auto column = static_cast<std::uint32_t>(columns.size() < hubs ? columns.size() : random() % states);
      if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
    }
    std::vector<double> weights(columns.size());
    double sum = 0.0;
    for (double& weight : weights) sum += weight = exponential(random);
    for (std::size_t k = 0; k < columns.size(); ++k) entries.push_back({x, columns[k], weights[k] / sum});
  }
  return FiniteKernel::sparse(states, states, std::move(entries));
}

void measure(benchmark::State& state, const FiniteKernel& kernel, double epsilon) {
  PairCoefficient found;
  for (auto _ : state) benchmark::DoNotOptimize(found = hockey_stick(kernel, Epsilon(epsilon)));
  state.counters["gamma"] = found.value.upper();
  state.counters["width"] = found.value.width();
}

void BM_DenseDobrushin(benchmark::State& state) {
  measure(state, dense(static_cast<std::size_t>(state.range(0))), 0.0);
}
void BM_DenseHockeyStick(benchmark::State& state) {
  measure(state, dense(static_cast<std::size_t>(state.range(0))), 1.0);
}
BENCHMARK(BM_DenseDobrushin)->RangeMultiplier(2)->Range(256, 4096)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(BM_DenseHockeyStick)->RangeMultiplier(2)->Range(256, 4096)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_SparseDobrushin(benchmark::State& state) {
  measure(state, sparse(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))), 0.0);
}
void BM_SparseHockeyStick(benchmark::State& state) {
  measure(state, sparse(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1))), 1.0);
}
// No common column (some rows are disjoint), one, and all ten.
BENCHMARK(BM_SparseDobrushin)
    ->ArgsProduct({{12500, 25000, 50000, 100000}, {0, 1, 10}})
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();
BENCHMARK(BM_SparseHockeyStick)->ArgsProduct({{100000}, {0, 1, 10}})->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_Product(benchmark::State& state) {
  const FiniteKernel kernel = dense(static_cast<std::size_t>(state.range(0)));
  for (auto _ : state) benchmark::DoNotOptimize(product(kernel, kernel));
}
BENCHMARK(BM_Product)->RangeMultiplier(2)->Range(256, 1024)->Unit(benchmark::kMillisecond)->UseRealTime();

void BM_File(benchmark::State& state, double epsilon) {
  const char* path = std::getenv("DOEBLIN_KERNEL");
  if (path == nullptr) {
    state.SkipWithError("DOEBLIN_KERNEL is not set");
    return;
  }
  measure(state, pipeline::read_kernel(path), epsilon);
}
BENCHMARK_CAPTURE(BM_File, dobrushin, 0.0)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK_CAPTURE(BM_File, hockey_stick, 1.0)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace doeblin

BENCHMARK_MAIN();
