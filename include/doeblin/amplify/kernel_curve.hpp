// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "doeblin/amplify/kernel_coefficients.hpp"
#include "doeblin/amplify/mixing.hpp"

namespace doeblin {

/// The kernel as later stages see it: its (gamma, eps)-Dobrushin coefficient at every eps. Values are remembered, and
/// so are the pairs of states that attain them.
[[nodiscard]] MixingKernel mixing_kernel(std::shared_ptr<const FiniteKernel> kernel);

}  // namespace doeblin
