// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/certificate/certificate.hpp"

namespace doeblin::report {

/// Delta against epsilon, by powers of ten, with the claims marked; empty where there is no curve. What is too small
/// for the axis is not drawn.
[[nodiscard]] std::string profile_chart(const std::vector<certificate::CurvePoint>& curve,
                                        const std::vector<certificate::Claim>& claims);

}  // namespace doeblin::report
