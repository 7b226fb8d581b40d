// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/core/derivation.hpp"

namespace doeblin::report {

/// Each with "checked" or "asserted" in words and a sign; empty without any.
[[nodiscard]] std::string assumption_list(const std::vector<Assumption>& assumptions);

/// What the whole derivation rests on, each assumption once: those that somebody has to vouch for, then those that were
/// checked.
[[nodiscard]] std::string assumption_summary(const std::vector<Step>& derivation);

}  // namespace doeblin::report
