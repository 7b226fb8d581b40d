// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "doeblin/mechanism/mechanism.hpp"
#include "doeblin/mixing/finite_kernel.hpp"

namespace doeblin::pipeline {

/// The laws after a kernel of two neighbours whose outputs are fed to it as one bit: to the two states that are furthest
/// apart. Nothing where no pair is known that is the same in both directions, or the matrix is large.
///
/// Formula  p K(x) + (1 - p) K(x') against (1 - p) K(x) + p K(x'), p = (1 + delta(0))/2
/// Source   catalogue M8. The best test at eps = 0 errs equally often on both sides, once it is mixed with its mirror
///          image: the pair is the same in both directions
[[nodiscard]] std::optional<Attained<LossPair>> fed_pair(const Mechanism& before, const FiniteKernel& kernel);

}  // namespace doeblin::pipeline
