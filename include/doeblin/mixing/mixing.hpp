// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>

#include "doeblin/profile/profile.hpp"

/// What post-processing by a Markov kernel K does to a privacy profile (catalogue section M).
///
/// All of it follows from one fact. At the level g = e^eps split P - gQ into its positive part, of mass d = D_g(P||Q),
/// and its negative part, of mass d + g - 1. Then D_g(PK||QK) = d D_{1+(g-1)/d}(mu K||nu K) for two laws mu and nu, so
///     D_g(PK||QK) <= d kappa(log(1 + (g-1)/d)),   kappa(eps) = sup over x, x' of D_{e^eps}(K(x)||K(x')),
/// and a mechanism whose positive and negative parts sit on single points attains it. So a kernel is known through
/// kappa, which is itself a privacy profile: that of K as a local mechanism.
namespace doeblin {

/// A kernel, seen from the outside.
struct MixingKernel {
  /// kappa: lower and upper enclose it, or bound it over all kernels that meet an assumption.
  Profile profile;
  /// Where kappa is costly: its value over the pairs of states that were the worst so far, which is at most kappa.
  std::function<Bracket(Epsilon)> known = {};
};

/// The divergence after a kernel, given the one before it. Where kappa is costly, `below` says something cheaper from
/// below.
///
/// Formula  d kappa(log(1 + (e^eps - 1)/d)); increasing in d, so brackets go through
/// Source   catalogue M2
[[nodiscard]] Bracket mixed(const Bracket& d, const std::function<Bracket(Epsilon)>& kappa, Epsilon epsilon,
                            const std::function<Bracket(Epsilon)>& below = {});

/// Every kernel with D_{e^eps}(K(x)||K(x')) <= gamma. At eps = 0 these are the gamma-Dobrushin kernels, which include
/// the gamma-Doeblin ones; with gamma = 0 those that are ultra-mixing with 1 - gamma_u = e^-eps.
[[nodiscard]] MixingKernel dobrushin_kernel(double gamma, double epsilon = 0.0);
[[nodiscard]] MixingKernel ultra_mixing_kernel(double gamma);

/// The profile after the kernel: the exact supremum over all ways to feed the mechanism's outputs to the kernel.
///
/// Formula  delta'(eps) = mixed(delta(eps), kappa, eps)
/// Source   catalogue M2; M1, M5 and M6 for the kernels above
[[nodiscard]] Profile mixed(const Profile& mechanism, const MixingKernel& kernel);

/// First one kernel, then the other, known through their kappa only.
[[nodiscard]] MixingKernel followed_by(const MixingKernel& first, const MixingKernel& second);

/// The kernel applied `steps` times, known through its kappa only. Domain: steps >= 1; steps beyond a million are not
/// counted, which is safe.
[[nodiscard]] MixingKernel repeated(const MixingKernel& kernel, double steps);

/// The published rule for gamma-Doeblin kernels, or no amplification where that is better.
///
/// Formula  e^{eps'} = 1 + gamma (e^eps - 1), delta' = gamma (1 - e^{eps'-eps} (1 - delta(eps)))
/// Source   catalogue M3 ([BBGG19] Theorem 1)
[[nodiscard]] Profile published_doeblin(const Profile& mechanism, double gamma);

/// The published rule for gamma-ultra-mixing kernels, or no amplification where that is better.
///
/// Formula  eps' as above, delta' = gamma delta(eps) e^{eps'-eps}
/// Source   catalogue M4 ([BBGG19] Theorem 1)
[[nodiscard]] Profile published_ultra_mixing(const Profile& mechanism, double gamma);

}  // namespace doeblin
