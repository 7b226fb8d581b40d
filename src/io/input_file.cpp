// SPDX-License-Identifier: Apache-2.0
#include "doeblin/io/input_file.hpp"

#include <filesystem>

#include <fmt/format.h>

#include "doeblin/core/error.hpp"
#include "doeblin/core/text.hpp"

namespace doeblin::io {
namespace {

InvalidArgument refusal(const char* parameter, const std::string& path, const std::string& need) {
  return {parameter, fmt::format("'{}'", printable_path(path)), need};
}

}  // namespace

InputFile open_input(const std::string& path, std::uintmax_t most, const char* parameter) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) throw refusal(parameter, path, "an existing regular file");
  InputFile input{.stream = {}, .size = std::filesystem::file_size(path, error)};
  if (error || input.size > most) throw refusal(parameter, path, fmt::format("a file of at most {} MiB", most >> 20U));
  input.stream.open(path, std::ios::binary);
  if (!input.stream) throw refusal(parameter, path, "a readable file");
  return input;
}

std::string read_whole(const std::string& path, std::uintmax_t most, const char* parameter) {
  InputFile input = open_input(path, most, parameter);
  std::string content(static_cast<std::size_t>(input.size), '\0');
  input.stream.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (input.stream.bad()) throw refusal(parameter, path, "a readable file");
  // Somebody may have cut it since.
  content.resize(static_cast<std::size_t>(input.stream.gcount()));
  return content;
}

}  // namespace doeblin::io
