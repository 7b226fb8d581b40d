// SPDX-License-Identifier: Apache-2.0
#include "iteration/last_step.hpp"

#include <algorithm>
#include <cmath>

#include "doeblin/profile/profile_to_renyi.hpp"
#include "doeblin/subsampling/subsampling.hpp"

namespace doeblin::pipeline {

Mechanism seen_step(double level, double batch) {
  const auto group = [=](double k) {
    return seen_step(rounding::mul_down(level, std::min(k, batch)), std::max(1.0, std::floor(batch / k)));
  };
  // A pair, and no Gaussian level: that of k people would be k times as high, however many the step uses.
  const Gdp gdp{numerics::Wide(level)};
  return Mechanism::of_pair(LossPair::symmetric_of(profile_of(gdp)), renyi_of(gdp))
      .with_groups({group, "k people in the last step"});
}

Mechanism seen_step_at_rate(double level, const Bracket& rate) {
  const LossPair step = LossPair::symmetric_of(profile_of(Gdp{numerics::Wide(level)}));
  const LossPair pair = poisson_sampled(step, rate);
  return Mechanism::of_pair(pair, forward_renyi_from_pair(pair));
}

}  // namespace doeblin::pipeline
