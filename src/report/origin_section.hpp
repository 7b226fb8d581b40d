// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/certificate/certificate.hpp"

namespace doeblin::report {

/// What the claim was computed from: the expression, the settings, files with their hashes, facts about the run.
[[nodiscard]] std::string origin_section(const certificate::Certificate& certificate);

}  // namespace doeblin::report
