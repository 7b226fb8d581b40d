// SPDX-License-Identifier: Apache-2.0
#pragma once

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

}  // namespace doeblin
