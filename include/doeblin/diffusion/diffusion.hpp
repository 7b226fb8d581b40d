// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/gdp.hpp"

/// Mechanisms that start a diffusion at the value f(D) and release where it is after some time. They are closed under
/// post-processing: running the released value on for a time s is the mechanism that ran for that much longer.
namespace doeblin {

/// dX = -theta X dt + sqrt(2) rho dW, which pulls towards 0 at rate theta; Brownian motion for theta = 0, rho = 1.
struct DiffusionProcess {
  double theta = 0.0;
  double rho = 1.0;

  /// Domain: theta >= 0, rho > 0, both finite.
  void validate() const;
};

/// A diffusion that ran for `time` from a value that one person moves by at most `sensitivity` (Euclidean). The time is
/// a bracket because a run that goes on has run for a sum of times.
struct DiffusionMechanism {
  DiffusionProcess process;
  Bracket time;
  double sensitivity = 1.0;

  void validate() const;
};

/// What a time s does to a point x: X_s is normal with mean decay x and this standard deviation in every coordinate.
struct DiffusionTransition {
  Bracket decay;      ///< e^{-theta s}
  Bracket deviation;  ///< rho sqrt((1 - e^{-2 theta s})/theta), rho sqrt(2 s) for theta = 0
};
[[nodiscard]] DiffusionTransition transition(const DiffusionProcess& process, const Bracket& time);

/// The mechanism is exactly mu-GDP.
///
/// Formula  mu = Delta e^{-theta t}/deviation(t) = Delta sqrt(theta)/(rho sqrt(e^{2 theta t} - 1))
/// Source   [BBGG19] Corollary 7 and the remark that the law is normal; catalogue D1, D2
/// Bound    relative width <= 1e-15 (1 + theta t)
/// Method   (1 - e^{-2 theta t})/(2 theta t) is a decreasing function without cancellation, 1 at theta t = 0
[[nodiscard]] Gdp gdp(const DiffusionMechanism& mechanism);

/// Lambda(t) = mu^2/2: the Renyi divergence of every order alpha is alpha Lambda. Catalogue D1, D2.
[[nodiscard]] Bracket renyi_level(const DiffusionMechanism& mechanism);

}  // namespace doeblin
