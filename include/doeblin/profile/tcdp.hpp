// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// Truncated concentrated DP: the Renyi divergence of every order 1 < alpha < omega is at most alpha rho. At omega it is
/// the limit from the left, and so at most omega rho. Catalogue P7.
struct TruncatedCdp {
  double rho;
  double omega;

  void validate() const;
};

/// alpha rho up to omega, which the Gaussian mechanism with mu^2 = 2 rho attains at every order; nothing is known above.
[[nodiscard]] RenyiCurve renyi_of(const TruncatedCdp& level);

/// Upper: C3 over the orders up to omega. Lower: the Gaussian mechanism with mu^2 = 2 rho.
[[nodiscard]] Profile profile_of(const TruncatedCdp& level);

}  // namespace doeblin
