// SPDX-License-Identifier: Apache-2.0
#include "doeblin/profile/gaussian.hpp"

#include "doeblin/profile/parameters.hpp"

namespace doeblin {

void Gaussian::validate() const {
  require_noise("sigma", sigma);
  require_sensitivity(sensitivity);
}

Gdp gdp(const Gaussian& mechanism) {
  mechanism.validate();
  return {numerics::ratio(mechanism.sensitivity, mechanism.sigma)};
}

}  // namespace doeblin
