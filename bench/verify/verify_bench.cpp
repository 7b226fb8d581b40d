// SPDX-License-Identifier: Apache-2.0
// Verifying a certificate: a closed form, a hidden run, and compositions of growing length (the argument).
#include <benchmark/benchmark.h>

#include "doeblin/issuing/issue.hpp"
#include "doeblin/pipeline/evaluate.hpp"
#include "doeblin/verify/verify.hpp"

namespace {

using namespace doeblin;

certificate::Certificate certificate_of(const std::string& expression, double delta) {
  const pipeline::Pipeline pipeline = pipeline::parse(expression);
  certificate::Subject subject{pipeline, language::parse(expression)};
  subject.claims = {{true, delta, pipeline.epsilon(Delta(delta))}};
  return issue(certificate::Kind::kAnalysis, subject);
}

void measure(benchmark::State& state, const std::string& expression, double delta) {
  const certificate::Certificate certificate = certificate_of(expression, delta);
  for (auto _ : state) {
    const auto checks = verify::verify(certificate);
    if (verify::overall(checks) != verify::Verdict::kVerified) state.SkipWithError("not verified");
    benchmark::DoNotOptimize(checks);
  }
}

void BM_ClosedForm(benchmark::State& state) { measure(state, "gaussian(sigma=2) | poisson(rate=0.1)", 1e-6); }

void BM_HiddenRun(benchmark::State& state) {
  measure(state,
          "noisy_sgd(n=10000, learning_rate=0.1, sigma=2, lipschitz=1, smoothness=1, diameter=2, batch=10, epochs=20)",
          1e-6);
}

void BM_Composition(benchmark::State& state) {
  measure(state, "gaussian(sigma=1.1) | poisson(rate=0.004) | compose(" + std::to_string(state.range(0)) + ")", 1e-5);
}

BENCHMARK(BM_ClosedForm)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_HiddenRun)->Unit(benchmark::kMillisecond);
BENCHMARK(BM_Composition)->RangeMultiplier(10)->Range(10, 10000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace

BENCHMARK_MAIN();
