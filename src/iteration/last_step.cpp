// SPDX-License-Identifier: Apache-2.0
#include "iteration/last_step.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/noise_mixture.hpp"

namespace doeblin::pipeline {
namespace {

// More people than this are at least as badly off.
constexpr double kMostPeople = 1000.0;

}  // namespace

Mechanism seen_step(double level, double batch) {
  const auto group = [=](double k) {
    return seen_step(rounding::mul_down(level, std::min(k, batch)), std::max(1.0, std::floor(batch / k)));
  };
  // A pair, and no Gaussian level: that of k people would be k times as high, however many the step uses.
  const Gdp gdp{numerics::Wide(level)};
  return Mechanism::of_pair(LossPair::symmetric_of(profile_of(gdp)), renyi_of(gdp))
      .with_groups({group, "k people in the last step"});
}

Mechanism seen_step_at_rate(double level, const Bracket& rate, const PlacesOfPeople& places) {
  const LossPair step = LossPair::symmetric_of(profile_of(Gdp{numerics::Wide(level)}));
  const LossPair pair = poisson_sampled(step, rate);
  const auto of_pair = [](const LossPair& laws) { return Mechanism::of_pair(laws, forward_renyi_from_pair(laws)); };
  const auto group = [=](double k) {
    const CountWeights counts = places(std::min(k, kMostPeople));
    return of_pair(mixture_pair(normal_noise(numerics::Wide(level)), shifts_of(counts), NoiseMixture::still()));
  };
  return of_pair(pair).with_groups({group, "those of k people who are in the last step"});
}

}  // namespace doeblin::pipeline
