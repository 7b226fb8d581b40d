// SPDX-License-Identifier: Apache-2.0
// Brackets of theta per second on one core, with the relative width they reach. The inputs come from a file of
// (epsilon, r) pairs of doubles, so that a peer can be timed on the same ones:
//   theta_bench INPUTS [benchmark options]
#include <cstdio>
#include <fstream>
#include <vector>

#include <benchmark/benchmark.h>

#include "doeblin/numerics/theta.hpp"

namespace {

using doeblin::Bracket;
using doeblin::numerics::Wide;

struct Input {
  double epsilon;
  double r;
};

std::vector<Input> read_inputs(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<Input> inputs;
  for (Input input{}; file.read(reinterpret_cast<char*>(&input), sizeof input);) inputs.push_back(input);
  return inputs;
}

void theta_brackets(benchmark::State& state, const std::vector<Input>& inputs) {
  double widest = 0.0;
  for (const Input& input : inputs) {
    const Bracket value = doeblin::numerics::theta(input.epsilon, Wide(input.r));
    if (value.lower() > 1e-300) widest = std::max(widest, value.relative_width());
  }
  for (auto _ : state)
    for (const Input& input : inputs) benchmark::DoNotOptimize(doeblin::numerics::theta(input.epsilon, Wide(input.r)));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(inputs.size()));
  state.counters["widest"] = widest;
}

void log_theta_brackets(benchmark::State& state, const std::vector<Input>& inputs) {
  for (auto _ : state)
    for (const Input& input : inputs)
      benchmark::DoNotOptimize(doeblin::numerics::log_theta(input.epsilon, Wide(input.r)));
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(inputs.size()));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') {
    std::fprintf(stderr, "usage: theta_bench INPUTS [benchmark options]\n");
    return 2;
  }
  const std::vector<Input> inputs = read_inputs(argv[1]);
  if (inputs.empty()) {
    std::fprintf(stderr, "theta_bench: no inputs in %s\n", argv[1]);
    return 2;
  }
  benchmark::RegisterBenchmark("theta", [&](benchmark::State& state) { theta_brackets(state, inputs); });
  benchmark::RegisterBenchmark("log_theta", [&](benchmark::State& state) { log_theta_brackets(state, inputs); });
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
}
