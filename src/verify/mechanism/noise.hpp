// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "verify/known.hpp"

/// Mechanisms that add noise or answer at random (catalogue P).
namespace doeblin::verify {

/// P2, theta = sensitivity/scale.
[[nodiscard]] Known known_laplace(const Ball& level);
/// P3.
[[nodiscard]] Known known_response(const Ball& p);
/// P4.
[[nodiscard]] Known known_black_box(const Ball& epsilon, const Ball& delta);
/// P6.
[[nodiscard]] Known known_twice_laplace(const Ball& scale1, const Ball& scale2, const Ball& sensitivity);
/// P7: noise on the integers.
[[nodiscard]] Known known_discrete_laplace(double scale, double sensitivity);
[[nodiscard]] Known known_discrete_gaussian(double sigma, double sensitivity);

}  // namespace doeblin::verify
