// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "doeblin/certificate/certificate.hpp"
#include "doeblin/verify/verify.hpp"

namespace doeblin::commands {

/// Every check of a certificate: its numbers in ball arithmetic, then all of it computed again as it was.
[[nodiscard]] std::vector<verify::Check> verification(const certificate::Certificate& certificate);

/// `name` is what the certificate is called.
[[nodiscard]] std::string text_verification(const std::string& name, const certificate::Certificate& certificate,
                                            const std::vector<verify::Check>& checks, bool is_verbose);
[[nodiscard]] std::string json_verification(const certificate::Certificate& certificate,
                                            const std::vector<verify::Check>& checks);

}  // namespace doeblin::commands
