// SPDX-License-Identifier: Apache-2.0
#include "doeblin/pipeline/diffusion_calibration.hpp"

#include <cmath>

#include "doeblin/language/schema.hpp"
#include "doeblin/numerics/solve.hpp"
#include "doeblin/pipeline/stages.hpp"
#include "doeblin/profile/gaussian.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin::pipeline {
namespace {

DiffusionChoice with_error(const DiffusionMechanism& mechanism, const BoundedValue& value) {
  return {mechanism, diffusion_error(mechanism.process, mechanism.time.middle(), value.radius, value.dimension)};
}

}  // namespace

void DiffusionTarget::validate() const {
  if (delta.has_value() == alpha.has_value())
    throw InvalidArgument("calibrate: delta and alpha, need exactly one of them");
  if (delta) {
    Target{epsilon, *delta}.validate();
    require(*delta > 0.0, "delta", *delta, "0 < delta < 1: normal noise has no pure guarantee");
  } else {
    static_cast<void>(Alpha(*alpha));
    require(std::isfinite(*alpha), "alpha", *alpha, "1 < alpha < infinity");
    require(epsilon >= 1e-200 && *alpha <= 1e200, "epsilon", epsilon, "epsilon >= 1e-200, and alpha <= 1e200");
  }
  require(std::isfinite(epsilon), "epsilon", epsilon, "epsilon < infinity");
  require_noise("time", time);
  require_noise("sensitivity", sensitivity);
  value.validate();
}

double level_for(const DiffusionTarget& target) {
  target.validate();
  if (target.alpha) {
    // alpha mu^2/2 <= epsilon.
    using namespace rounding;
    double mu = std::sqrt(2.0 * target.epsilon / *target.alpha);
    while (mul_up(mul_up(mu, mu), *target.alpha) > 2.0 * target.epsilon) mu = next_down(mu);
    return mu;
  }
  // delta decreases in sigma = 1/mu.
  const Bracket sigma = numerics::first_at_most(
      [&](double x) {
        if (x == 0.0) return Bracket(1.0);
        if (std::isinf(x)) return Bracket(0.0);
        return delta(Gdp{numerics::ratio(1.0, x)}, Epsilon(target.epsilon));
      },
      *target.delta, 0x1p-50);
  double mu = rounding::div_down(1.0, sigma.upper());
  while (delta(Gdp::level(mu), Epsilon(target.epsilon)).upper() > *target.delta) mu = rounding::next_down(mu);
  return mu;
}

CalibratedDiffusion calibrate(const DiffusionTarget& target) {
  const double mu = level_for(target);
  require(mu > 0.0 && std::isfinite(mu), "epsilon", target.epsilon, "a target that noise of finite size can meet");
  const DiffusionMechanism published = theorem_8(mu, target.sensitivity, target.time, target.value);
  const double plain = gaussian_error(mu, target.sensitivity, target.value.dimension);
  return {.mu = mu,
          .published = with_error(published, target.value),
          .least = with_error(least_error(mu, target.sensitivity, target.time, target.value), target.value),
          .gaussian_sigma = rounding::div_up(target.sensitivity, mu),
          .gaussian_error = plain,
          .shrinkage = 1.0 / (1.0 + plain / target.value.radius / target.value.radius),
          .shrunk_error = shrunk_gaussian_error(mu, target.sensitivity, target.value),
          .pipeline = ornstein_uhlenbeck(published)};
}

std::optional<OpenDiffusion> open_diffusion(const Program& program) {
  const std::vector<language::ArgumentPlace> open = holes_of(program);
  const bool is_one = program.kind == Program::Kind::kCall &&
                      language::role_of(program.call.name) == language::Role::kDiffusion && open.size() == 2 &&
                      open[0].parameter == "theta" && open[1].parameter == "rho";
  if (!is_one) return std::nullopt;
  return OpenDiffusion{program.call.number("time"), program.call.number("sensitivity")};
}

}  // namespace doeblin::pipeline
