// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doeblin/mixing/finite_kernel.hpp"
#include "doeblin/profile/finite.hpp"

namespace doeblin {

/// The mechanism whose output goes through the kernel: the product of the two matrices, with the same neighbours.
/// Domain: as many outputs as the kernel has states.
///
/// Source   catalogue M: exact, beside the bounds
[[nodiscard]] FiniteMechanism processed(const FiniteMechanism& mechanism, const FiniteKernel& kernel);

}  // namespace doeblin
