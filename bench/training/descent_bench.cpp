// SPDX-License-Identifier: Apache-2.0
// A private pass over a million dense records of a hundred features, the same pass without noise, and drawing the noise
// alone. One thread each. The argument is the batch.
#include <benchmark/benchmark.h>

#include "doeblin/sampling/lattice_noise.hpp"
#include "doeblin/training/noisy_descent.hpp"
#include "training/batch_sequence.hpp"
#include "training/gradient_sum.hpp"

namespace {

using namespace doeblin;
using namespace doeblin::training;

constexpr std::size_t kRecords = 1'000'000;
constexpr std::size_t kDimension = 100;

const Records& records() {
  static const Records all = [] {
    Records records({.dimension = kDimension, .is_sparse = false, .shard = {}});
    sampling::RandomStream random = sampling::RandomSource::insecure(1).stream();
    std::vector<double> row(kDimension);
    for (std::size_t i = 0; i < kRecords; ++i) {
      // Entries of at most 1/10: the norm is at most 1.
      for (double& x : row) x = (static_cast<double>(random.next() >> 11U) * 0x1p-53 - 0.5) * 0.2;
      records.append(row, row[0] + row[1] > 0.0 ? 1.0 : -1.0, i + 1);
    }
    return records;
  }();
  return all;
}

DescentPlan plan_for(double batch) {
  DescentRequest request;
  request.domain = {DomainKind::kBall, 10.0};
  request.bounds = {1.0, 1.0};
  request.dimension = kDimension;
  request.records = kRecords;
  request.batch = batch;
  request.learning_rate = 0.5;
  request.regularisation = 1e-4;
  return plan_descent(request, 0.05);
}

void BM_Private(benchmark::State& state) {
  const DescentPlan plan = plan_for(static_cast<double>(state.range(0)));
  const Records& data = records();
  for (auto _ : state) {
    NoisyDescent descent(plan, data, std::nullopt, fresh_keys(sampling::RandomSource::secure(), 0));
    descent.advance(descent.steps());
    benchmark::DoNotOptimize(descent.released());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRecords));
}

void BM_WithoutNoise(benchmark::State& state) {
  const DescentPlan plan = plan_for(static_cast<double>(state.range(0)));
  const Records& data = records();
  const double rate = plan.privacy.learning_rate, share = rate / plan.privacy.batch;
  for (auto _ : state) {
    BatchSequence batches(plan.privacy, {});
    GradientSum gradient(data, plan.request.loss, std::nullopt, alone());
    PaddedVector w(kDimension);
    for (std::uint64_t step = 0; step < plan.privacy.steps(); ++step) {
      const auto sum = gradient.over(batches.batch(step), w);
      for (std::size_t j = 0; j < kDimension; ++j) w[j] -= rate * plan.request.regularisation * w[j] + share * sum[j];
      plan.request.domain.project(w.span());
    }
    benchmark::DoNotOptimize(w.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRecords));
}

// The draws of a whole run with this batch.
void BM_Draws(benchmark::State& state) {
  const DescentPlan plan = plan_for(static_cast<double>(state.range(0)));
  const auto noise = sampling::LatticeNoise::gaussian(plan.grid.noise);
  std::vector<std::int64_t> draws(81 * kDimension);
  for (auto _ : state) {
    sampling::RandomStream random = sampling::RandomSource::secure().stream();
    for (std::uint64_t step = 0; step < plan.privacy.steps(); step += 81) {
      noise.fill(random, draws);
      benchmark::DoNotOptimize(draws.data());
    }
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kRecords));
}

BENCHMARK(BM_Private)->Arg(1)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_WithoutNoise)->Arg(1)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Draws)->Arg(1)->Arg(64)->Arg(1024)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
