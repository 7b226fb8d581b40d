// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/profile.hpp"

namespace doeblin {

/// mu-Gaussian differential privacy: telling the neighbours apart is exactly as hard as telling N(mu, 1) from N(0, 1).
struct Gdp {
  numerics::Wide mu;

  /// Domain: mu >= 0 and finite.
  [[nodiscard]] static Gdp level(double mu);
};

/// Formula  delta = Q(eps/mu - mu/2) - e^eps Q(eps/mu + mu/2)
/// Source   [BalleWang2018] Theorem 8; catalogue P1, P7
/// Bound    relative width <= 1e-13 wherever delta > 1e-300
[[nodiscard]] Bracket delta(const Gdp& gdp, Epsilon epsilon);

/// At many epsilons; see numerics/theta_batch.hpp.
double deltas(const Gdp& gdp, std::span<const double> epsilon, std::span<double> lower, std::span<double> upper);

/// log delta, for tails that no double can hold.
[[nodiscard]] Bracket log_delta(const Gdp& gdp, Epsilon epsilon);

/// Formula  alpha mu^2 / 2
[[nodiscard]] Bracket rdp(const Gdp& gdp, Alpha alpha);

[[nodiscard]] ProfileTraits profile_traits(const Gdp& gdp);

/// k people at once: k mu ([DRS22]; catalogue C4, white box).
[[nodiscard]] Gdp group(const Gdp& gdp, double k);

}  // namespace doeblin
