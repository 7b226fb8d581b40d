// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <istream>
#include <string>
#include <string_view>

namespace doeblin::io {

/// How every NPY file starts.
inline constexpr std::string_view kNpyMagic = "\x93NUMPY";

/// What an NPY file says about its table.
struct NpyHeader {
  /// Such as "<f8".
  std::string type;
  bool is_column_major = false;
  std::size_t rows = 0;
  std::size_t columns = 0;
  /// Bytes before the data.
  std::uintmax_t length = 0;

  /// Errors   InvalidArgument unless the file holds exactly the entries, of so many bytes each
  void require_data(std::uintmax_t file_size, std::size_t entry, const std::string& path) const;
};

/// Reads a header of version 1 to 3, up to where the data starts; nothing is allocated for what it claims.
/// Errors   InvalidArgument unless it is that of a table of at least 1 x 1 of a plain type; `types` is what errors call
///          the types that are needed
[[nodiscard]] NpyHeader read_npy_header(std::istream& file, const std::string& path, std::string_view types);

}  // namespace doeblin::io
