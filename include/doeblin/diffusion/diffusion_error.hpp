// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/diffusion/diffusion.hpp"

/// How far a release is from the value, as a mean square. Predictions, not guarantees of privacy: plain doubles, right
/// to about 1e-14.
/// Source   [BBGG19] equation 4 and Theorem 8; catalogue D4
namespace doeblin {

/// A value in d dimensions that lies within `radius` of the origin.
struct BoundedValue {
  double dimension;
  double radius;

  /// Domain: dimension an integer >= 1, 0 < radius < infinity.
  void validate() const;
};

/// (1 - e^{-theta t})^2 |f|^2 + d rho^2 (1 - e^{-2 theta t})/theta.
[[nodiscard]] double diffusion_error(const DiffusionProcess& process, double time, double norm, double dimension);

/// d s^2: the Gaussian mechanism with standard deviation s = Delta/mu, which has the same privacy.
[[nodiscard]] double gaussian_error(double mu, double sensitivity, double dimension);

/// The Gaussian mechanism multiplied by the number that makes the error least in the worst case |f| = radius:
/// d s^2/(1 + d s^2/R^2).
[[nodiscard]] double shrunk_gaussian_error(double mu, double sensitivity, const BoundedValue& value);

/// The condition theta R^2 <= 4 d rho^2 of Theorem 8, under which the Ornstein-Uhlenbeck mechanism is at no time worse
/// than the Gaussian mechanism of the same privacy.
[[nodiscard]] bool never_worse_than_gaussian(const DiffusionProcess& process, const BoundedValue& value);

/// The process whose release at `time` is at most mu-GDP, with the parameters of Theorem 8:
/// theta t = log(1 + d s^2/R^2), rho^2 = theta s^2/(e^{2 theta t} - 1), s = Delta/mu.
///
/// Bound    gdp() of the result has its upper end <= mu; rho is moved up by a few units in the last place for that
[[nodiscard]] DiffusionMechanism theorem_8(double mu, double sensitivity, double time, const BoundedValue& value);

/// The same privacy at the same time, with theta found by minimising the worst-case error. It agrees with theorem_8():
/// for u = e^{-theta t} the error is (1 - u)^2 R^2 + d s^2 u^2, least at u = R^2/(R^2 + d s^2).
[[nodiscard]] DiffusionMechanism least_error(double mu, double sensitivity, double time, const BoundedValue& value);

}  // namespace doeblin
