// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/diffusion.hpp"

#include <cmath>

#include "doeblin/numerics/elementary.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin {
namespace {

void require_time(const Bracket& time) {
  require(time.lower() > 0.0 && std::isfinite(time.upper()), "time", time.upper(), "0 < time < infinity");
}

}  // namespace

void DiffusionProcess::validate() const {
  require(theta >= 0.0 && std::isfinite(theta), "theta", theta, "0 <= theta < infinity");
  require_noise("rho", rho);
}

void DiffusionMechanism::validate() const {
  process.validate();
  require_time(time);
  require_sensitivity(sensitivity);
}

DiffusionTransition transition(const DiffusionProcess& process, const Bracket& time) {
  process.validate();
  require_time(time);
  const Bracket turn = process.theta * time;
  // (1 - e^{-2 theta s})/theta = 2 s decay_mean(2 theta s), which needs no division by a small theta.
  const Bracket variance = turn.lower() < 1.0 ? 2.0 * time * numerics::decay_mean(2.0 * turn)
                                              : -numerics::expm1(-2.0 * turn) / process.theta;
  return {.decay = numerics::exp(-turn), .deviation = process.rho * numerics::sqrt(variance)};
}

Gdp gdp(const DiffusionMechanism& mechanism) {
  mechanism.validate();
  if (mechanism.sensitivity == 0.0) return {numerics::Wide(0.0)};
  const DiffusionTransition law = transition(mechanism.process, mechanism.time);
  require(law.deviation.lower() > 0.0 && std::isfinite(law.deviation.upper()), "time", mechanism.time.upper(),
          "a standard deviation that a double can hold");
  const Bracket mu = mechanism.sensitivity * law.decay / law.deviation;
  require(std::isfinite(mu.upper()), "sensitivity", mechanism.sensitivity, "a level that a double can hold");
  const double middle = mu.middle();
  return {numerics::Wide(middle, 0.0,
                         std::max(rounding::sub_up(mu.upper(), middle), rounding::sub_up(middle, mu.lower())))};
}

Bracket renyi_level(const DiffusionMechanism& mechanism) {
  const Bracket mu = max(enclose(gdp(mechanism).mu), Bracket(0.0));
  return mu * mu / 2.0;
}

}  // namespace doeblin
