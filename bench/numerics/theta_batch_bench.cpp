// SPDX-License-Identifier: Apache-2.0
// Brackets of theta at many epsilons and one r, sorted and shuffled, with the relative width they reach. Counts the
// time of all threads; on one core:
//   taskset -c 0 theta_batch_bench
#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include "doeblin/core/bracket.hpp"
#include "doeblin/numerics/theta_batch.hpp"

namespace {

using doeblin::Bracket;
using doeblin::numerics::Wide;

constexpr std::size_t kMillion = 1000000;

// From 0 to where a = epsilon/r - r/2 is a_end.
std::vector<double> epsilons(std::size_t count, double r, double a_end, bool shuffled) {
  std::vector<double> values(count);
  const double last = r * (a_end + r / 2.0);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = last * static_cast<double>(i) / static_cast<double>(std::max<std::size_t>(count - 1, 1));
  if (shuffled) std::shuffle(values.begin(), values.end(), std::mt19937_64(1));
  return values;
}

void theta_batch(benchmark::State& state, std::size_t count, double r, double a_end, bool shuffled) {
  const std::vector<double> epsilon = epsilons(count, r, a_end, shuffled);
  std::vector<double> lower(count);
  std::vector<double> upper(count);
  for (auto _ : state) {
    doeblin::numerics::theta(epsilon, Wide(r), lower, upper);
    benchmark::ClobberMemory();
  }
  double widest = 0.0;
  for (std::size_t i = 0; i < count; ++i)
    if (lower[i] > 1e-300) widest = std::max(widest, Bracket(lower[i], upper[i]).relative_width());
  state.counters["s_per_value"] = benchmark::Counter(
      static_cast<double>(count), benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["widest"] = widest;
}

}  // namespace

int main(int argc, char** argv) {
  for (const std::size_t count : {std::size_t{1000}, std::size_t{16384}, kMillion}) {
    for (const double r : {1e-6, 0.01, 1.0, 10.0, 30.0}) {
      for (const double a_end : {9.5, 45.0}) {
        for (const bool shuffled : {false, true}) {
          const std::string name = "theta/" + std::to_string(count) + "/r=" + std::to_string(r) +
                                   "/a=" + std::to_string(a_end).substr(0, 4) + (shuffled ? "/shuffled" : "/sorted");
          benchmark::RegisterBenchmark(name.c_str(),
                                       [=](benchmark::State& state) { theta_batch(state, count, r, a_end, shuffled); })
              ->Unit(benchmark::kMicrosecond)
              ->MeasureProcessCPUTime();
        }
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
