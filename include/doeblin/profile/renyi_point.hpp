// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "doeblin/profile/discrete_laplace.hpp"
#include "doeblin/profile/profile.hpp"
#include "doeblin/profile/renyi_curve.hpp"

namespace doeblin {

/// One point of a Renyi curve: between neighbours, in both directions, the divergence of order alpha is at most
/// `divergence`. Catalogue P7.
struct RenyiPoint {
  double alpha;
  double divergence;

  void validate() const;
};

/// What one order says about the others. Below alpha the divergence is at most the same (it grows with the order) and
/// a Gaussian mechanism reaches the fraction order/alpha of it; above alpha nothing is known.
[[nodiscard]] RenyiCurve renyi_of(const RenyiPoint& point);

/// Upper: the optimal rule for one order, C3. Lower: what a mechanism that meets the bound in both directions reaches,
/// namely the pair that attains the rule where its reverse divergence allows that, else the better of randomised
/// response and a Gaussian mechanism.
[[nodiscard]] Profile profile_of(const RenyiPoint& point);

/// Noise on the integers around a count, with as small a scale as the bound allows; nothing for a divergence
/// below 1e-150 or above 1e150. What one person moves by a step has the laws of randomised response: two losses, log(p/(1 - p)) = 1/scale and
/// its negative. Of k people it has those of k steps.
[[nodiscard]] std::optional<DiscreteLaplace> strongest_steps(const RenyiPoint& point);

}  // namespace doeblin
