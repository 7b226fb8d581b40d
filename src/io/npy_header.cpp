// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/npy_header.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/whole.hpp"
#include "doeblin/io/line_reader.hpp"

namespace doeblin::io {
namespace {

constexpr std::size_t kLongestHeader = 65536;

[[noreturn]] void fail(const std::string& path, const std::string& problem) {
  throw InvalidArgument(fmt::format("{}: {}", path, problem));
}

// The text after "'key':" in the header.
std::string_view value_of(std::string_view header, std::string_view key, const std::string& path) {
  const auto found = header.find(fmt::format("'{}'", key));
  const auto colon = found == std::string_view::npos ? found : header.find(':', found);
  if (colon == std::string_view::npos) fail(path, fmt::format("NPY header without '{}'", key));
  return trimmed(header.substr(colon + 1));
}

NpyHeader parse(std::string_view header, const std::string& path, std::string_view types) {
  NpyHeader parsed;
  const std::string_view type = value_of(header, "descr", path);
  if (type.size() < 2 || type[0] != '\'' || type.find('\'', 1) == std::string_view::npos)
    fail(path, fmt::format("NPY type that is not a plain one, need {}", types));
  parsed.type = type.substr(1, type.find('\'', 1) - 1);
  parsed.is_column_major = value_of(header, "fortran_order", path).starts_with("True");
  std::string_view shape = value_of(header, "shape", path);
  const auto close = shape.find(')');
  if (shape.empty() || shape[0] != '(' || close == std::string_view::npos) fail(path, "NPY header without a shape");
  shape = shape.substr(1, close - 1);
  std::vector<double> sizes;
  while (!trimmed(shape).empty()) {
    const auto comma = shape.find(',');
    sizes.push_back(parse_number(trimmed(shape.substr(0, comma)), path, "NPY shape"));
    if (comma == std::string_view::npos) break;
    shape.remove_prefix(comma + 1);
  }
  if (sizes.size() != 2) fail(path, fmt::format("NPY array of {} dimensions, need 2", sizes.size()));
  for (const double size : sizes)
    if (!is_whole(size, 1.0, 0x1p32))
      fail(path, fmt::format("NPY shape {} x {}, need at least 1 x 1", sizes[0], sizes[1]));
  parsed.rows = static_cast<std::size_t>(sizes[0]);
  parsed.columns = static_cast<std::size_t>(sizes[1]);
  return parsed;
}

}  // namespace

void NpyHeader::require_data(std::uintmax_t file_size, std::size_t entry, const std::string& path) const {
  const std::uintmax_t row = std::uintmax_t{columns} * entry;
  const std::uintmax_t held = file_size - length;
  // Divided, since a product of what is claimed may overflow.
  if (held % row != 0 || held / row != rows)
    fail(path, fmt::format("{} bytes of data, need {} for the {} x {} entries that the header claims", held, row * rows,
                           rows, columns));
}

NpyHeader read_npy_header(std::istream& file, const std::string& path, std::string_view types) {
  std::array<unsigned char, 12> start{};
  file.read(reinterpret_cast<char*>(start.data()), 8);
  if (!std::equal(kNpyMagic.begin(), kNpyMagic.end(), reinterpret_cast<const char*>(start.data())))
    fail(path, "no NPY file, which starts with \\x93NUMPY");
  const int version = start[6];
  const std::size_t length_bytes = version == 1 ? 2 : 4;
  file.read(reinterpret_cast<char*>(start.data() + 8), static_cast<std::streamsize>(length_bytes));
  if (!file || version < 1 || version > 3) fail(path, "NPY header that is cut off or of an unknown version");
  std::size_t length = 0;
  for (std::size_t byte = length_bytes; byte > 0; --byte) length = length << 8U | start[7 + byte];
  if (length > kLongestHeader)
    fail(path, fmt::format("NPY header of {} bytes, need at most {}", length, kLongestHeader));
  std::string header(length, '\0');
  file.read(header.data(), static_cast<std::streamsize>(length));
  if (!file) fail(path, "NPY header that is cut off");
  NpyHeader parsed = parse(header, path, types);
  parsed.length = 8 + length_bytes + length;
  return parsed;
}

}  // namespace doeblin::io
