// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "doeblin/audit/outputs.hpp"

namespace doeblin::audit {

/// The weights of the sum that separates two clouds of points best: Fisher's linear discriminant.
///
/// Formula  (S + r I)^-1 (m1 - m2), S the covariance within the clouds, r a thousandth of its mean variance; the
///          likelihood ratio itself, up to a constant, when both are normal with one covariance
/// Cost     O(n d^2 + d^3); beyond 256 coordinates only variances are used, O(n d)
[[nodiscard]] std::vector<double> discriminant(const Outputs& first, const Outputs& second);

}  // namespace doeblin::audit
