// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace doeblin::commands {

/// Writes a file that either appears whole or not at all: next to it first, then renamed.
/// Errors   InvalidArgument that names the option
void write_atomically(const std::string& option, const std::string& path,
                      const std::function<void(std::ostream&)>& write);

}  // namespace doeblin::commands
