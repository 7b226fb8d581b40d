// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace doeblin::test {

inline bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace doeblin::test
