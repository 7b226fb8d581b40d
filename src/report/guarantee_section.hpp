// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "doeblin/certificate/certificate.hpp"

namespace doeblin::report {

/// The verdict in a sentence, the key figures as cards, and every claim in a table where there are several.
[[nodiscard]] std::string guarantee_section(const certificate::Certificate& certificate);

}  // namespace doeblin::report
