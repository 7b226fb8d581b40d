// SPDX-License-Identifier: Apache-2.0
#include "doeblin/diffusion/diffusion_error.hpp"

#include <cmath>

#include <boost/math/tools/minima.hpp>

#include "doeblin/core/whole.hpp"
#include "doeblin/profile/parameters.hpp"

namespace doeblin {
namespace {

void require_level(double mu) { require(mu > 0.0 && std::isfinite(mu), "mu", mu, "0 < mu < infinity"); }

// rho for a given theta, so that the level at `time` is mu; then up until the enclosure agrees.
DiffusionMechanism with_level(double mu, double sensitivity, double time, double theta) {
  const double z = theta * time;
  // sqrt(theta/(e^{2z} - 1)) = sqrt(share/2t) e^{-z} with share = 2z/(1 - e^{-2z}), continued by 1 at 0.
  const double share = z == 0.0 ? 1.0 : 2.0 * z / -std::expm1(-2.0 * z);
  DiffusionMechanism mechanism{
      {theta, sensitivity / mu * std::sqrt(share / (2.0 * time)) * std::exp(-z)}, Bracket(time), sensitivity};
  require_noise("rho", mechanism.process.rho);
  double step = 0x1p-52;
  while (enclose(gdp(mechanism).mu).upper() > mu) {
    mechanism.process.rho *= 1.0 + step;
    step *= 2.0;
  }
  return mechanism;
}

}  // namespace

void BoundedValue::validate() const {
  require_whole("dimension", dimension, 1.0, 0x1p53);
  require(radius > 0.0 && std::isfinite(radius), "radius", radius, "0 < radius < infinity");
}

double diffusion_error(const DiffusionProcess& process, double time, double norm, double dimension) {
  require(norm >= 0.0 && std::isfinite(norm), "norm", norm, "0 <= norm < infinity");
  const double deviation = transition(process, Bracket(time)).deviation.middle();
  const double pulled = std::expm1(-process.theta * time) * norm;
  return pulled * pulled + dimension * deviation * deviation;
}

double gaussian_error(double mu, double sensitivity, double dimension) {
  require_level(mu);
  require_sensitivity(sensitivity);
  const double deviation = sensitivity / mu;
  return dimension * deviation * deviation;
}

double shrunk_gaussian_error(double mu, double sensitivity, const BoundedValue& value) {
  value.validate();
  const double plain = gaussian_error(mu, sensitivity, value.dimension);
  return plain / (1.0 + plain / value.radius / value.radius);
}

bool never_worse_than_gaussian(const DiffusionProcess& process, const BoundedValue& value) {
  process.validate();
  value.validate();
  return process.theta * value.radius * value.radius <= 4.0 * value.dimension * process.rho * process.rho;
}

DiffusionMechanism theorem_8(double mu, double sensitivity, double time, const BoundedValue& value) {
  value.validate();
  require_noise("sensitivity", sensitivity);
  require_noise("time", time);
  const double ratio = gaussian_error(mu, sensitivity, value.dimension) / value.radius / value.radius;
  const double theta = std::log1p(ratio) / time;
  require(std::isfinite(theta), "theta", theta, "a pull that a double can hold: a larger radius, or a longer time");
  return with_level(mu, sensitivity, time, theta);
}

DiffusionMechanism least_error(double mu, double sensitivity, double time, const BoundedValue& value) {
  const DiffusionMechanism start = theorem_8(mu, sensitivity, time, value);
  // So weak a pull changes nothing that a double can show.
  if (start.process.theta * time < 1e-15) return start;
  // On a logarithmic scale around the published choice; Brent's method reaches half of the digits of the place and
  // all of those of the value.
  const auto worst_error = [&](double log_theta) {
    // A pull so strong that nothing of the value is left.
    if (std::exp(log_theta) * time > 600.0) return value.radius * value.radius;
    const DiffusionMechanism tried = with_level(mu, sensitivity, time, std::exp(log_theta));
    return diffusion_error(tried.process, time, value.radius, value.dimension);
  };
  const double centre = std::log(start.process.theta);
  const auto [place, error] = boost::math::tools::brent_find_minima(worst_error, centre - 4.0, centre + 4.0, 52);
  // Where the error hardly depends on theta, rounding decides; then the published choice is as good as any.
  return error < worst_error(centre) ? with_level(mu, sensitivity, time, std::exp(place)) : start;
}

}  // namespace doeblin
