// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <fstream>
#include <string>

namespace doeblin::io {

/// A file that was opened, and its size then.
struct InputFile {
  std::ifstream stream;
  std::uintmax_t size = 0;
};

/// `parameter` is what errors call it.
/// Errors   InvalidArgument unless it is a readable regular file of at most `most` bytes
[[nodiscard]] InputFile open_input(const std::string& path, std::uintmax_t most, const char* parameter);

/// All of such a file.
[[nodiscard]] std::string read_whole(const std::string& path, std::uintmax_t most, const char* parameter);

}  // namespace doeblin::io
