// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "doeblin/mixing/kernel_coefficients.hpp"
#include "doeblin/mixing/mixing.hpp"

namespace doeblin {

/// The kernel as later stages see it: its (gamma, eps)-Dobrushin coefficient at every eps. Values are remembered, and
/// so are the pairs of states that attain them.
[[nodiscard]] MixingKernel mixing_kernel(std::shared_ptr<const FiniteKernel> kernel);

/// A kernel whose kappa is costly, from above: kappa is convex in e^eps, so chords between a few of its values lie
/// above it. The values are calculated when they are first needed.
///
/// Domain   kappa constant from a finite `traits().loss_bound` on; otherwise only its largest finite part is followed
[[nodiscard]] MixingKernel tabulated(const MixingKernel& kernel, std::size_t nodes);

}  // namespace doeblin
