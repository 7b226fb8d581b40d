// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "cli/release_report.hpp"
#include "doeblin/certificate/certificate.hpp"

namespace doeblin::cli {

/// One for each file, in their order: what it and all later ones together guarantee.
[[nodiscard]] std::vector<certificate::Certificate> certificates_of(const ReleaseReport& report);

/// "noise.json", or "noise.tier2.json" for the second of several files.
[[nodiscard]] std::string certificate_path(const std::string& path, std::size_t number, std::size_t count);

}  // namespace doeblin::cli
