// SPDX-License-Identifier: Apache-2.0
// One question about each base mechanism, with the relative width of the answer.
#include <benchmark/benchmark.h>

#include "doeblin/profile/discrete_gaussian.hpp"
#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/laplace.hpp"
#include "doeblin/profile/renyi_conversion.hpp"
#include "doeblin/profile/twice_laplace.hpp"
#include "doeblin/profile/zcdp.hpp"

namespace doeblin {
namespace {

template <typename Question>
void measure(benchmark::State& state, const Question& question) {
  for (auto _ : state) benchmark::DoNotOptimize(question());
  state.counters["width"] = question().relative_width();
}

void gaussian_delta(benchmark::State& state) {
  const Gdp m = gdp(Gaussian{1.3});
  measure(state, [&] { return delta(m, Epsilon(2.0)); });
}
BENCHMARK(gaussian_delta);

void gaussian_epsilon(benchmark::State& state) {
  const Profile p = profile_of(gdp(Gaussian{1.3}));
  measure(state, [&] { return p.epsilon(Delta(1e-10)); });
}
BENCHMARK(gaussian_epsilon);

void laplace_delta(benchmark::State& state) {
  const Laplace m{1.3};
  measure(state, [&] { return delta(m, Epsilon(0.5)); });
}
BENCHMARK(laplace_delta);

void twice_laplace_delta(benchmark::State& state) {
  const TwiceLaplace m{1.3, 0.4};
  measure(state, [&] { return delta(m, Epsilon(0.01 * static_cast<double>(state.range(0)))); });
}
BENCHMARK(twice_laplace_delta)->Arg(1)->Arg(70);

void twice_laplace_rdp(benchmark::State& state) {
  measure(state, [&] { return renyi_of(TwiceLaplace{1.3, 0.4}).at(Alpha(4.0)); });
}
BENCHMARK(twice_laplace_rdp)->Unit(benchmark::kMillisecond);

void discrete_laplace_delta(benchmark::State& state) {
  const DiscreteLaplace m{3.0, 2.0};
  measure(state, [&] { return delta(m, Epsilon(0.5)); });
}
BENCHMARK(discrete_laplace_delta);

// Cost grows like sigma up to 3000, and is constant above.
void discrete_gaussian_delta(benchmark::State& state) {
  const DiscreteGaussian m{static_cast<double>(state.range(0)), 1.0};
  measure(state, [&] { return delta(m, Epsilon(2.0 / m.sigma)); });
}
BENCHMARK(discrete_gaussian_delta)->Arg(3)->Arg(30)->Arg(300)->Arg(3000)->Arg(30000);

void renyi_point_epsilon(benchmark::State& state) {
  measure(state, [] { return optimal_epsilon({8.0, 0.5}, Delta(1e-6)); });
}
BENCHMARK(renyi_point_epsilon);

void zcdp_epsilon(benchmark::State& state) {
  const Profile p = profile_of(Zcdp::level(0.1));
  measure(state, [&] { return p.epsilon(Delta(1e-6)); });
}
BENCHMARK(zcdp_epsilon);

}  // namespace
}  // namespace doeblin

BENCHMARK_MAIN();
