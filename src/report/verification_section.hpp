// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin::report {

/// How to check the certificate in this file by oneself, and what the answers mean.
[[nodiscard]] std::string verification_section(const std::string& file_name);

/// What no number of this kind promises.
[[nodiscard]] std::string limits_section();

}  // namespace doeblin::report
