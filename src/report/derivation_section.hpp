// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/core/derivation.hpp"

namespace doeblin::report {

/// Every step in order: the stage, the theorem, what it says and what it needs.
[[nodiscard]] std::string derivation_section(const std::vector<Step>& derivation);

}  // namespace doeblin::report
