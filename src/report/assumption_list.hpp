// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/pipeline/derivation.hpp"

namespace doeblin::report {

/// Each with "checked" or "asserted" in words and a sign; empty without any.
[[nodiscard]] std::string assumption_list(const std::vector<pipeline::Assumption>& assumptions);

/// What the whole derivation rests on, each assumption once: those that somebody has to vouch for, then those that were
/// checked.
[[nodiscard]] std::string assumption_summary(const std::vector<pipeline::Step>& derivation);

}  // namespace doeblin::report
