// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace doeblin {

/// A file that is not complete yet, or that nobody is to find: its name cannot be foreseen, so that nobody can put a
/// file or a link there first.
struct PartFile {
  int descriptor = -1;  ///< -1, with errno, when there can be no such file
  std::string path = {};
};

/// "<path>.<16 hexadecimal digits from the system's random numbers>.part"
[[nodiscard]] std::string part_name(const std::string& path);

/// Whether part_name() gives such names to parts of this file; both without folders.
[[nodiscard]] bool is_part_of(std::string_view name, std::string_view file);

/// A new file under such a name, for reading and writing, that only its owner can open.
[[nodiscard]] PartFile create_part(const std::string& path);

}  // namespace doeblin
