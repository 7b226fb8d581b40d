// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/gdp.hpp"
#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// rho-zero-concentrated DP: the Renyi divergence of every order alpha > 1 is at most alpha rho. Catalogue P7.
struct Zcdp {
  numerics::Wide rho;

  /// Domain: rho >= 0 and finite.
  [[nodiscard]] static Zcdp level(double rho);
};

/// alpha rho, attained by the Gaussian mechanism.
[[nodiscard]] Bracket rdp(const Zcdp& zcdp, Alpha alpha);

/// The Gaussian mechanism with mu^2 = 2 rho: it is rho-zCDP.
[[nodiscard]] Gdp attaining(const Zcdp& zcdp);

/// Upper: C3 over all orders. Lower: the Gaussian mechanism with mu^2 = 2 rho, which is rho-zCDP.
[[nodiscard]] Profile profile_of(const Zcdp& zcdp);

/// k people at once: k^2 rho ([BunSteinke2016] Proposition 1.9).
[[nodiscard]] Zcdp group(const Zcdp& zcdp, double k);

}  // namespace doeblin
