// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <utility>
#include <vector>

#include "doeblin/mixing/kernel_coefficients.hpp"

namespace doeblin {

using StatePair = std::pair<std::size_t, std::size_t>;

/// The largest hockey-stick divergence over pairs of rows, from the entries alone. Pairs that are likely to be bad, if
/// any are known, make the search faster.
[[nodiscard]] PairCoefficient worst_pair(const FiniteKernel& kernel, Epsilon epsilon, const SearchProgress& progress,
                                         const std::vector<StatePair>& likely = {});

}  // namespace doeblin
