// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/mixing/kernel.hpp"
#include "doeblin/mixing/named_kernels.hpp"
#include "doeblin/mixing/projected_noise.hpp"

/// Kernels that the output is sent through. Each function stands in src/mixing/stages, in the file of its name, beside its maker for the expression language.
namespace doeblin::pipeline {

/// Known by a coefficient only,
[[nodiscard]] Kernel dobrushin(double gamma, double epsilon = 0.0);
[[nodiscard]] Kernel doeblin(double gamma);
[[nodiscard]] Kernel ultra_mixing(double gamma);
/// by their matrix, which the derivation calls `name`,
[[nodiscard]] Kernel kernel(const FiniteKernel& matrix, const std::string& name, double steps = 1.0);
/// or by a formula.
[[nodiscard]] Kernel k_ary_response(const KAryResponse& response);
[[nodiscard]] Kernel binary_symmetric(double flip, double steps = 1.0);
[[nodiscard]] Kernel projected(const IntervalNoise& noise, double steps = 1.0);
[[nodiscard]] Kernel projected(const BallNoise& noise, double steps = 1.0);

}  // namespace doeblin::pipeline
