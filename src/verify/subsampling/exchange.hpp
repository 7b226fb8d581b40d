// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "verify/known.hpp"

namespace doeblin::verify {

/// S3: sum_{k>=1} w_k delta_k(eps_k) for levels eps_k >= eps that use up at most what there is,
/// sum_{k>=1} w_k (e^{eps_k} - e^eps) <= w_0 (e^eps - 1). Every choice of levels gives a bound; the good ones are likelihood
/// ratios at one point.
///
/// The levels at epsilon for the weights of 1, 2, ... draws; empty if none are found that certainly keep within what there
/// is, or if the base is no noise.
[[nodiscard]] std::vector<Ball> count_levels(const Known& base, const Ball& epsilon, const std::vector<Ball>& weights,
                                             const Ball& none);

}  // namespace doeblin::verify
