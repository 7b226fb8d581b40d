// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

#include <doeblin/pipeline/stages.hpp>
#include <doeblin/sampling/lattice_noise.hpp>

int main() {
  using namespace doeblin;
  using namespace doeblin::pipeline;
  const Bracket epsilon = (gaussian({.sigma = 100}) | compose(10000)).epsilon(Delta(1e-5));
  std::printf("epsilon <= %.6f\n", epsilon.upper());
  sampling::RandomStream random = sampling::RandomSource::secure().stream();
  std::printf("noise %ld\n", static_cast<long>(sampling::LatticeNoise::gaussian(1000.0).draw(random)));
}
