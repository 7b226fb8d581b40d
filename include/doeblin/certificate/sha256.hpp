// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace doeblin::certificate {

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

/// Errors   InvalidArgument when the file cannot be read; `parameter` is what the error calls it
[[nodiscard]] std::string sha256_of_file(const std::string& parameter, const std::string& path);

}  // namespace doeblin::certificate
