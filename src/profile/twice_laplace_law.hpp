// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/core/bracket.hpp"
#include "doeblin/numerics/wide.hpp"
#include "doeblin/profile/twice_laplace.hpp"

namespace doeblin {

/// The sum of two Laplace noises, with lengths in units of the larger scale l1.
///
/// It decays at rates 1 and rho = l1/l2 >= 1, and with d = rho - 1 and w(x) = (1 - e^{-dx})/d (w(x) = x at d = 0) the
/// density and the upper tail at x >= 0 are
///   f(x) = C e^{-x} (1 + w(x)),   C = rho/(2 (1 + rho)),      F(x) = e^{-x}/2 (1 + w(x)/(1 + rho)).
struct TwiceLaplaceLaw {
  Bracket d;
  Bracket rho;

  /// Beyond some ratio of scales the second noise is not resolved.
  [[nodiscard]] bool is_resolved() const;
  [[nodiscard]] Bracket w(const Bracket& x) const;
  /// The divergence of a shift, epsilon >= 0.
  [[nodiscard]] Bracket delta(const numerics::Wide& shift, double epsilon) const;
};

[[nodiscard]] TwiceLaplaceLaw law_of(const TwiceLaplace& mechanism);
/// How far one person moves the value.
[[nodiscard]] numerics::Wide shift_of(const TwiceLaplace& mechanism);

}  // namespace doeblin
