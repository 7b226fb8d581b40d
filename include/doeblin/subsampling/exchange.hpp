// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/subsampling/noise_mixture.hpp"

namespace doeblin {

/// Somebody who may be drawn several times is exchanged for somebody else, and the mechanism adds noise that every draw
/// moves by at most a unit.
///
/// Formula  delta'(eps') = sum_{k>=1} w_k D_{e^{eps_k}}(K(k)||K(0)), w_k the weight of k draws, for any levels
///          eps_k >= eps' with sum_{k>=1} w_k (e^{eps_k} - e^{eps'}) <= w_0 (e^{eps'} - 1)
/// Source   catalogue S3; the rule of [BBG18] Theorem 10 is the case of equal levels
/// Bound    from above, at most 1e-9 above the best levels: those at which one half-line is the best test for all k
/// Cost     Newton's method, about 4 passes over the counts that matter
[[nodiscard]] Profile exchanged_counts(const SharedNoise& noise, const NoiseMixture& counts);

}  // namespace doeblin
